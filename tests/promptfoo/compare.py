"""Compares promptfoo's answers with what promptscope prints: compare.py PROGRAM WORKSPACE ANSWERS FLAGS..."""

import json
import pathlib
import subprocess
import sys

program, workspace, answers, *flags = sys.argv[1:]


def printed(*args):
    run = subprocess.run([program, *args], capture_output=True, text=True, check=True)
    return run.stdout


def wanted(label, scenario):
    """The system prompt and the user's message."""
    turn = ["--scenario", str(scenario)] if scenario.exists() else []
    messages = json.loads(printed("render", workspace, "--format", "messages", *turn, *flags))
    if label == "what the agent sends":
        return messages[0]["content"], messages[-1]["content"]
    name, *variant = label.split(" ")
    variant = ["--variant", *variant] if variant else []
    system = printed("show", name, workspace, *variant, *flags)
    return system, None


results = json.loads(pathlib.Path(answers).read_text())["results"]["results"]
if not results:
    sys.exit("promptfoo answered nothing")
for result in results:
    label, test = result["prompt"]["label"], result["testCase"].get("description", "")
    output = result["response"]["output"]
    messages = json.loads(output) if isinstance(output, str) else output
    scenario = pathlib.Path(workspace, "scenarios", f"{test}.toml")
    system, user = wanted(label, scenario)
    if messages[0]["content"] != system:
        sys.exit(f"{label}, {test}: {messages[0]['content']!r} is not {system!r}")
    if user is not None and messages[-1]["content"] != user:
        sys.exit(f"{label}, {test}: {messages[-1]['content']!r} is not {user!r}")
print(f"{workspace}: {len(results)} answers are the same")
