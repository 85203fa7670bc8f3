"""Asks an installed agent for one prompt. `promptscope verify` runs it; nobody runs it by hand.

The folder argv[1] holds question.json; the answer is one line of JSON on standard output, and all
else that is printed goes to standard error. Only copies of the workspace are handed to the agent.
"""
import os
import sys

# A program on standard input searches the current folder first: nothing of it may be imported.
sys.path[:] = [entry for entry in sys.path if entry]

import importlib
import inspect
import json
import pathlib
import shutil
import signal
import time

# What the agent prints must not get between the lines of the answer.
ANSWER = os.fdopen(os.dup(1), "wb")
os.dup2(2, 1)

# Every token of the agent's encoding stands for a byte at least: what is shorter is never cut.
MAX_HISTORY_TOKENS = 8000


class CannotRun(Exception):
    """Says which step failed and why; nothing was compared then."""

    def __init__(self, step, reason):
        super().__init__(reason)
        self.step = step


class Over:
    """A module with some of its names replaced, for one of its users alone."""

    def __init__(self, module, **names):
        self.__dict__.update(names)
        self._module = module

    def __getattr__(self, name):
        return getattr(self._module, name)


class Agent:
    """The modules of the installed agent, imported from the package that was found and no other."""

    def __init__(self, package):
        parent = os.path.dirname(package)
        if parent not in sys.path:
            sys.path.append(parent)
        try:
            nanobot = importlib.import_module("nanobot")
            found = os.path.dirname(nanobot.__file__ or "")
            if not os.path.samefile(found, package):
                raise CannotRun("package", found)
            self.context = importlib.import_module("nanobot.agent.context")
            self.skills = importlib.import_module("nanobot.agent.skills")
            self.compact = importlib.import_module("nanobot.agent.autocompact")
            self.sessions = importlib.import_module("nanobot.session.manager")
            self.helpers = importlib.import_module("nanobot.utils.helpers")
            self.templates = importlib.import_module("nanobot.utils.prompt_templates")
        except CannotRun:
            raise
        except BaseException as error:
            raise CannotRun("import", f"{type(error).__name__}: {error}") from error


def put(module, name, value):
    """Replaces a name that the agent's module must have."""
    if not hasattr(module, name):
        raise CannotRun("version", f"{getattr(module, '__name__', module)} has no {name}")
    setattr(module, name, value)


def fix_clock(agent, stamp, zone):
    """Stops the agent's clock; a zone replaces the machine's own."""
    if zone is not None:
        os.environ["TZ"] = zone
        time.tzset()

    real = agent.helpers.datetime

    class Stopped(real):
        @classmethod
        def now(cls, tz=None):
            # Of a class below, Python would lose which of two equal hours it is in autumn.
            return real.fromtimestamp(stamp, tz)

    def strftime(form, *moment):
        return time.strftime(form, *(moment or (time.localtime(stamp),)))

    put(agent.helpers, "datetime", Stopped)
    put(agent.helpers, "time", Over(time, strftime=strftime))


def declare_host(agent, host, environment):
    """Lets the agent see what is declared of the machine; the rest stays real."""
    facts = {"system": host["system"], "machine": host["machine"], "python_version": host["python"]}
    answers = {name: (lambda fact=fact: fact) for name, fact in facts.items() if fact is not None}
    if answers:
        put(agent.context, "platform", Over(agent.context.platform, **answers))

    def which(program, mode=os.F_OK | os.X_OK, path=None):
        if program in host["bins"]:
            return program
        return shutil.which(program, mode, path if host["path"] is None else os.pathsep.join(host["path"]))

    put(agent.skills, "shutil", Over(shutil, which=which))
    put(agent.skills, "os", Over(os, environ=environment))


def choose_folders(agent, question):
    """Puts other templates and builtin skills in the place of the package's, where some are named."""
    folder = question["templates"]
    if folder is not None:
        root = pathlib.Path(folder)
        put(agent.templates, "_TEMPLATES_ROOT", root)
        agent.templates._environment.cache_clear()

        def bundled(name):
            path = root / name
            return path.read_text(encoding="utf-8") if path.is_file() else None

        put(agent.context, "load_bundled_template", bundled)
    if question["builtin_skills"] is not None:
        put(agent.skills, "BUILTIN_SKILLS_DIR", pathlib.Path(question["builtin_skills"]))


def order_folders(by_name, copied, original):
    """Lists the copied skills in the order of the original folder, or every folder by name."""
    listed = pathlib.Path.iterdir

    def iterdir(self):
        entries = list(listed(self))
        if by_name:
            entries.sort(key=lambda entry: os.fsencode(entry.name))
        elif str(self) == copied:
            places = {name: at for at, name in enumerate(os.listdir(original))}
            entries.sort(key=lambda entry: places.get(entry.name, len(places)))
        return iter(entries)

    pathlib.Path.iterdir = iterdir


class Probe:
    """Keeps what the builder of the system prompt holds at the moment it returns."""

    def __init__(self):
        self.prompt = None
        self.names = {}

    def __call__(self, frame, event, value):
        if event == "return" and value is not None and frame.f_code.co_name == "build_system_prompt":
            self.prompt = value
            self.names = dict(frame.f_locals)

    def sections(self):
        """Tells by the builder's own variables which section each part is; None if it has others."""
        names = self.names
        try:
            parts = list(names["parts"])
            there = {
                "identity": True,
                "bootstrap_files": bool(names["bootstrap"]),
                "tool_contract": True,
                "memory": False,
                "always_skills": bool(names["always_skills"] and names["always_content"]),
                "skills_summary": bool(names["skills_summary"]),
                "recent_history": bool(names["include_memory_recent_history"] and names["entries"]),
                "session_summary": bool(names["session_summary"]),
            }
        except (KeyError, TypeError):
            return None
        # Whether memory is an untouched template is held in no variable: the count tells.
        there["memory"] = len(parts) == sum(there.values()) + 1
        if len(parts) != sum(there.values()) or not all(isinstance(part, str) for part in parts):
            return None
        rest = iter(parts)
        return {name: next(rest) if present else None for name, present in there.items()}


def encoding_loads(agent):
    """Tells whether the agent could load its tokenizer."""
    try:
        agent.helpers._get_token_encoding()
        return True
    except Exception:
        return False


def replay(agent, workspace, session):
    """Replays a session the way the agent's loop does before a turn."""
    manager = agent.sessions.SessionManager(workspace)
    loaded = manager.get_or_create(session["key"])
    loaded, summary = agent.compact.AutoCompact(manager, None, 0).prepare_session(loaded, session["key"])
    history = loaded.get_history(
        max_messages=session["max_messages"],
        max_tokens=session["max_tokens"],
        include_timestamps=True,
        extend_to_user=False,
    )
    return {"history": history, "summary": summary, "metadata": loaded.metadata}


def build(agent, question, answer):
    """Builds the messages of the turn into the answer."""
    workspace = pathlib.Path(question["workspace"])
    turn = dict(question["turn"])
    message, history, session = turn.pop("message"), turn.pop("history"), question["session"]
    try:
        inspect.signature(agent.context.ContextBuilder.build_messages).bind(None, history, message, **turn)
    except TypeError as error:
        raise CannotRun("version", str(error)) from error
    if session is not None:
        replayed = replay(agent, workspace, session)
        answer["session"] = {"history": replayed["history"], "summary": replayed["summary"]}
        history = history or replayed["history"]
        if turn["session_summary"] is None:
            turn["session_summary"] = replayed["summary"]
        turn["session_metadata"] = turn["session_metadata"] or replayed["metadata"]
        if turn["session_key"] is None:
            turn["session_key"] = session["key"]
    builder = agent.context.ContextBuilder(
        workspace, timezone=question["timezone"], disabled_skills=question["disabled_skills"]
    )
    probe = Probe()
    sys.setprofile(probe)
    try:
        answer["messages"] = builder.build_messages(history, message, **turn)
    finally:
        sys.setprofile(None)
    answer["system_prompt"] = probe.prompt
    answer["sections"] = probe.sections()
    recent = (answer["sections"] or {}).get("recent_history") or ""
    cut = len(recent.encode("utf-8", "surrogatepass")) >= MAX_HISTORY_TOKENS
    if cut or (session is not None and session["max_tokens"] > 0):
        answer["tokenizer"] = encoding_loads(agent)


def ask(folder):
    """Answers the question in a folder."""
    with open(os.path.join(folder, "question.json"), encoding="utf-8") as file:
        question = json.load(file)
    # Should nobody be left to end this process, it ends itself.
    signal.alarm(question["seconds"])
    environment = dict(os.environ)
    for name, value in question["hidden_variables"].items():
        environment.pop(name, None)
        if value is not None:
            environment[name] = value
    if question["host"]["env"] is not None:
        environment = question["host"]["env"]
    agent = Agent(question["package"])
    fix_clock(agent, question["now"], question["host"]["local_timezone"])
    declare_host(agent, question["host"], environment)
    choose_folders(agent, question)
    order_folders(
        question["skills_by_name"], os.path.join(question["workspace"], "skills"), question["original_skills"]
    )
    answer = {"sections": None, "session": None, "tokenizer": None, "error": None}
    try:
        build(agent, question, answer)
    except CannotRun:
        raise
    except Exception as error:
        answer["error"] = {"type": type(error).__name__, "message": str(error)}
    return answer


def main():
    try:
        answer = ask(sys.argv[1])
    except CannotRun as error:
        answer = {"failed": {"step": error.step, "reason": str(error)}}
    answer["python"] = ".".join(str(part) for part in sys.version_info[:3])
    ANSWER.write(json.dumps(answer, default=str).encode("ascii") + b"\n")
    ANSWER.flush()


main()
