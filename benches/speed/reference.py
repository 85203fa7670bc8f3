"""Builds and counts the prompt of a workspace as the agent does: once, or again and again.

    python reference.py WORKSPACE            prints the count
    python reference.py WORKSPACE ROUNDS     prints the count, then the seconds that each round took
"""
import sys
import time
from pathlib import Path

import loguru

loguru.logger.remove()
import tiktoken  # noqa: E402
from nanobot.agent.context import ContextBuilder  # noqa: E402

encoding = tiktoken.get_encoding("o200k_base")


def count(builder):
    messages = builder.build_messages([], "Where is the tandem?", channel="telegram", chat_id="1")
    return sum(len(encoding.encode_ordinary(message["content"])) for message in messages)


workspace = Path(sys.argv[1]).resolve()
print(count(ContextBuilder(workspace)))
for _ in range(int(sys.argv[2]) if len(sys.argv) > 2 else 0):
    since = time.perf_counter()
    count(ContextBuilder(workspace))
    print(time.perf_counter() - since)
