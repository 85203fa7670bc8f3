#!/usr/bin/env python3
"""Write random cases about what surrounds a prompt:  gen_surroundings.py SEED COUNT > IN.jsonl

Where gen_cases.py mixes a whole workspace, every case here turns one thing over: attached files,
links, the merge, the host, a long history, a replayed session, damaged files, or the skills'
requirements. The same SEED always writes the same cases.
"""
import base64, json, random, sys

NULL, TRUE = None, True
MAGIC = [b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff\xe0", b"GIF87a", b"GIF89a", b"RIFF\0\0\0\0WEBP", b"RIFF\0\0\0\0WAVE", b"\x89PNG", b"\xff\xd8", b"<svg/>", b"BM", b"", b"\n", b"%PDF-1.4", "BOM\ufeff".encode()]
ENDINGS = [".png", ".PNG", ".jpg", ".jpeg", ".JPE", ".gif", ".bmp", ".ico", ".svg", ".svgz", ".SVGZ", ".tif", ".TIFF", ".ppm", ".xbm", ".xwd", ".ras", ".rgb", ".ief", ".heic", "", ".", ".txt", ".md", ".png.gz", ".png.GZ", ".gif.Z", ".gif.z",
           ".jpg.bz2", ".bmp.xz", ".bmp.br", ".png.br.gz", ".png ", ".png.bak", ".tgz", ".pdf", ".mp4", ".json", ".pıng", ".ＰＮＧ", ".bmp.svgz"]
STEMS = ["a", "photo 1", "ünï", "图", ".hidden", "..", "...x", "a:b", "a?b#c", "data:image,", "x;y=1", "'q'", "%20", "e\u0301", "🦀", "-r", "a\nb", "a\tb"]
ZONES = ["UTC", "Etc/UTC", "GMT", "Etc/GMT+12", "Etc/GMT-14", "Asia/Shanghai", "Asia/Kathmandu", "Asia/Kolkata", "Asia/Tehran", "Australia/Eucla", "Australia/Lord_Howe", "Pacific/Chatham", "Pacific/Apia", "Pacific/Kiritimati", "Pacific/Marquesas", "America/St_Johns",
         "America/New_York", "America/Sao_Paulo", "America/Caracas", "America/Nuuk", "Europe/London", "Europe/Dublin", "Europe/Moscow", "Africa/Casablanca", "Africa/Monrovia", "Africa/Cairo", "Antarctica/Troll", "Antarctica/Casey", "US/Pacific", "Japan", "Singapore", "Asia/Pyongyang", "Asia/Gaza", "America/Argentina/Buenos_Aires"]
ODD_ZONES = ["", "Mars/Base", "utc", "asia/shanghai", "UTC+8", "../UTC", "/etc/localtime", "America", "UTC ", " UTC", "Europe/London\n", "+08:00", "Z", "日本", "A/" * 50, "GMT+0", "Zulu", "PST8PDT", "tzdata.zi"]
NOWS = ["1900-01-01T00:00:00+00:00", "1911-03-10T23:50:39+00:00", "1945-08-15T12:00:00+00:00", "1969-12-31T23:59:59+00:00", "1970-01-01T00:00:00+00:00", "1972-01-07T00:44:30+00:00", "1999-12-31T23:59:59.999999+00:00", "2000-02-29T12:00:00+00:00", "2011-12-30T09:59:59+00:00", "2011-12-30T10:00:00+00:00",
        "2026-03-08T06:59:59+00:00", "2026-03-08T07:00:00+00:00", "2026-03-29T00:59:59+00:00", "2026-03-29T01:00:00+00:00", "2026-11-01T05:59:59+00:00", "2026-11-01T06:00:00+00:00", "2026-11-01T06:30:00+00:00", "2026-10-25T00:30:00+00:00", "2026-10-25T01:30:00+00:00", "2026-04-04T15:30:00+00:00", "2026-10-03T15:29:59+00:00",
        "2026-02-28T23:59:59-11:00", "2026-01-01T00:00:00+14:00", "2026-06-19T02:30:00+05:45", "2038-01-19T03:14:08+00:00", "2099-07-01T12:00:00+00:00", "2100-02-28T23:30:00+00:00", "2150-07-04T12:00:00+00:00", "2237-01-15T12:00:00+00:00", "2400-02-29T12:00:00+00:00", "8999-07-01T12:00:00+00:00"]
SYSTEMS = ["Linux", "Darwin", "Windows", "FreeBSD", "Java", "", "darwin", "MSYS_NT-10.0", "CYGWIN_NT", "Линукс", "macOS"]
MACHINES = ["x86_64", "arm64", "AMD64", "aarch64", "", "riscv64", "arm v7", "<b>", "{{ x }}", "i86pc\n"]
PYTHONS = ["3.11.9", "3.12.4", "3.13.0rc1", "3.14.0a1+", "", "3.12.4+local"]
WORDS = ["alpha", "reply", "concise", "日本語", "用户", "naïve", "🦀", "👨‍👩‍👧‍👦", "🇩🇪", "👍🏽", "e\u0301", "`code`", "**b**", "fn main() {}", "ГОСТ", "शब्द", "ไทย", "عربي", "한국어", "don't", "DON'T", "1234567", "\u200b", "\ufffd", "龘靐齉", "\x00", "\x1b[31m", "https://x.y/z?q=1", "    ", "\t", "!!!", "---", "x" * 40]
SPECIAL = ["<|endoftext|>", "<|fim_prefix|>", "<|endofprompt|>", "<|im_start|>", "<|endoftext"]
ENDS = ["\n", "\n", "\r\n", "\r", "\u2028", "\x85", "\x0b", "\x0c", "\x1c", "\n\n"]
ODD = [NULL, TRUE, False, 0, 1, -1, 3, 2.5, "", "x", "1", [], ["x"], [1, NULL], {}, {"a": 1}, 10**20, "null", " \x1c "]
KEYS = ["telegram:1", "cli:direct", "cron:x", "cron", "dream:2", "dream", "heartbeat", "heartbeat:1", "", "Telegram:1", " a:1 ", "a/b:c", "..", "ключ:1", "a<b>|c?*\"d\\", "x" * 60, "a\x1f", "tab\tkey", ".", "a.b:c d"]


def raw(data):
    return {"base64": base64.b64encode(data).decode()}


def words(r, low=1, high=8):
    return r.choice([" ", " ", "", "  "]).join(r.choice(WORDS) for _ in range(r.randint(low, high)))


def prose(r, n):
    return "".join(words(r) + r.choice(ENDS) for _ in range(n))


def skill(front, body="Body.\n"):
    return f"---\n{front}\n---\n{body}"


def messages(r, n):
    out = []
    for i in range(n):
        m = {"role": r.choice(["user", "assistant", "assistant", "tool", "system", "developer"]), "content": content(r)}
        if r.random() < 0.3:
            m["tool_calls"] = r.choice([[{"id": f"c{i}", "type": "function", "function": {"name": "grep", "arguments": "{\"q\": \"é\"}"}}], [], NULL])
        for key, value in (("reasoning_content", words(r)), ("name", "grep"), ("tool_call_id", "c1"), ("thinking_blocks", [{"type": "thinking", "thinking": "hm", "signature": "s"}]), ("extra", {"k": [1.0, 1e400, -0.0]})):
            if r.random() < 0.15:
                m[key] = value
        if r.random() < 0.05:
            del m[r.choice(["role", "content"])]
        out.append(m)
    return out


def content(r):
    blocks = [{"type": "text", "text": words(r)}, {"type": "image_url", "image_url": {"url": "data:image/png;base64,AA=="}}, "bare", 5, NULL, TRUE, 1.0, ["in", {"n": 1e16}], {}, {"type": "text"}, {"type": "text", "text": NULL}, {"type": "text", "text": 0}, {"type": "text", "text": r.choice(ODD)}]
    return r.choice([words(r), words(r), "", NULL, 0, 7, -1.5, TRUE, {"type": "text", "text": "x"}, [], r.sample(blocks, r.randint(1, 4)), [r.choice(blocks)]])


def media(r):
    files, names = {}, []
    for _ in range(r.randint(1, 4)):
        name = r.choice(["", "", "in/", "ein ordner/"]) + r.choice(STEMS) + r.choice(ENDINGS)
        if name in ("..", "...", "in/..", "ein ordner/..", "in/...") or f"{name}/x" in files:
            continue
        roll = r.random()
        if roll < 0.08:
            files[f"{name}/x"] = "in a folder"
        elif roll < 0.16:
            files[name] = {"symlink": r.choice(["@WORKSPACE@/target.png", "target.png", "nope", name])}
            files["target.png"] = raw(MAGIC[0])
        elif roll < 0.9:
            files[name] = raw(r.choice(MAGIC) + r.choice([b"", b"\0\1\2\xff", b"tail" * 9]))
        names.append(name)
    names.append(r.choice(["none.png", "", "a.png/x", "in", "n" * 300 + ".png"]))
    r.shuffle(names)
    form = lambda n: "@WORKSPACE@" + r.choice(["/", "/", "/", "/", "//", "/./", "/in/../"]) + n + r.choice([""] * 9 + ["/"])  # noqa: E731
    files["in/keep"] = ""
    paths = [form(n) for n in names] + r.choice([[], [], ["no/such/relative.png"]])
    request = {"media": paths, "message": r.choice(["", "look", prose(r, 2)])}
    if r.random() < 0.6:
        request["history"] = messages(r, r.randint(1, 2))
        request["history"][-1]["role"] = r.choice(["user", "user", "assistant"])
    return files, request, {}


def links(r):
    files = {"store/agents": "linked\r\nagents", "store/skill/SKILL.md": skill("description: linked\nalways: " + r.choice(["true", "false"])), "store/tree/one/SKILL.md": skill("description: in a linked folder"),
             "store/mem/MEMORY.md": "linked memory", "store/mem/history.jsonl": json.dumps({"cursor": 1, "timestamp": "t", "content": "linked"}) + "\n", "hop": {"symlink": "store/agents"}, "hop2": {"symlink": "hop"},
             "loop": {"symlink": "loop"}, "ping": {"symlink": "pong"}, "pong": {"symlink": "ping"}, "dir": {"symlink": "store"}}
    ends = ["store/agents", "@WORKSPACE@/store/agents", "hop", "hop2", "loop", "ping", "nope", "store", "dir/agents", "store/agents/x", "@WORKSPACE@/nope/deep", "."]
    for name in ("AGENTS.md", "SOUL.md", "USER.md"):
        if r.random() < 0.5:
            files[name] = {"symlink": r.choice(ends)}
    below = lambda: r.choice(["@WORKSPACE@/store/agents", "@WORKSPACE@/hop2", "@WORKSPACE@/loop", "@WORKSPACE@/nope", "@WORKSPACE@/store", "../store/agents", "../loop"])  # noqa: E731
    roll = r.random()
    if roll < 0.3:
        files["memory"] = {"symlink": r.choice(["store/mem", "@WORKSPACE@/store/mem", "dir/mem", "loop", "nope", "store/agents", "store/mem2"])}
    elif roll < 0.8:
        # An old HISTORY.md is migrated first, and one that cannot be has times of the disk's own.
        for name in r.choice([("memory/MEMORY.md", "memory/history.jsonl", "memory/.dream_cursor"), ("memory/MEMORY.md", "memory/HISTORY.md")]):
            if r.random() < 0.4:
                files[name] = {"symlink": below()}
    roll = r.random()
    if roll < 0.3:
        files["skills"] = {"symlink": r.choice(["store/tree", "@WORKSPACE@/store/tree", "store", "loop", "ping", "nope", "store/agents", "hop"])}
    elif roll < 0.9:
        for name in ("a", "b", "notes", "clock"):
            if r.random() < 0.4:
                files[f"skills/{name}"] = {"symlink": r.choice(["../store/skill", "@WORKSPACE@/store/skill", "@WORKSPACE@/store/tree/one", "../loop", "../nope", "../store", "../store/agents", "a"])}
            elif r.random() < 0.4:
                files[f"skills/{name}/SKILL.md"] = {"symlink": r.choice(["../../store/skill/SKILL.md", "../../store/agents", "../../nope", "../../loop", "../../store", "SKILL.md"])}
    request = {}
    if r.random() < 0.3:
        request["session"] = {"key": "s:1"}
        if r.random() < 0.5:
            files["sessions"] = {"symlink": r.choice(["store", "loop", "nope", "store/agents"])}
            files["store/s_1.jsonl"] = '{"role": "user", "content": "linked turn"}\n'
        else:
            files["sessions/s_1.jsonl"] = {"symlink": r.choice(["../store/agents", "../nope", "../loop", "../store"])}
    return files, request, {}


def merge(r):
    role = r.choice(["user", "user", "assistant", "system", "tool", "", "User"])
    history = messages(r, r.choice([0, 1, 1, 2, 5]))
    if history and r.random() < 0.8:
        history[-1]["role"] = role
    elif history and r.random() < 0.15:
        history[-1] = r.choice([NULL, "text", 5, [], ["role", "user"]])
    return {}, {"history": history, "current_role": role, "message": r.choice(["", "now", prose(r, 1)]), "session_summary": r.choice([NULL, "", words(r)])}, {}


def host(r):
    zone = r.choice([NULL, *ZONES, *ZONES, *ODD_ZONES])
    rest = {"local_tz": r.choice(ZONES), "now": r.choice(NOWS) if r.random() < 0.7 else f"{r.randint(1901, 2099)}-{r.randint(1, 12):02d}-{r.randint(1, 28):02d}T{r.randint(0, 23):02d}:{r.randint(0, 59):02d}:{r.randint(0, 59):02d}+00:00", "timezone": zone}
    if rest["now"] >= "2088" and {"Africa/Casablanca", "Asia/Gaza"} & {zone, rest["local_tz"]}:
        rest["now"] = NOWS[0]  # their months of fasting are tabled up to 2087
    if r.random() < 0.6:
        rest["platform"] = {"system": r.choice(SYSTEMS), "machine": r.choice(MACHINES), "python": r.choice(PYTHONS)}
    request = {"channel": r.choice([NULL, "", "telegram", "cli", "a\nb", "{{ x }}"]), "chat_id": r.choice([NULL, "", "1", "\n", "{{ y }}"]), "sender_id": r.choice([NULL, "", "u", " "]), "current_runtime_lines": r.choice([[], [""], ["a", "", "b\nc"]])}
    return {}, request, rest


def entry(r, cursor, length):
    line = {"cursor": cursor, "timestamp": f"2026-06-{r.randint(1, 28):02d} 10:00", "content": words(r, 1, length)}
    if r.random() < 0.5:
        line["session_key"] = r.choice(KEYS)
    if r.random() < 0.05:
        line[r.choice(list(line))] = r.choice(ODD)
    text = json.dumps(line, ensure_ascii=r.random() < 0.3)
    return text if r.random() > 0.04 else r.choice(["{", text[:-4], text + "x", text + "\r" + text, "", "\x1c", "\ufeff" + text, '{"cursor": 1, "cursor": ' + str(cursor) + ', "timestamp": "t", "content": "\\ud83d"}', '{"a": NaN}'] + ["[]"] * (r.random() < 0.1))


def long_history(r):
    long = r.random() < 0.4
    lines = [entry(r, n, 4) for n in range(r.choice([0, 3, 250]))] + [entry(r, 300 + n, r.choice([8, 250]) if long else 6) for n in range(r.choice([5, 49, 50, 51, 70]))]
    if long and r.random() < 0.3:
        lines[-1 - r.randrange(5)] = json.dumps({"cursor": 999, "timestamp": "t", "content": r.choice(SPECIAL) + " here"})
    files = {"memory/history.jsonl": "\n".join(lines) + r.choice(["\n", ""])}
    if r.random() < 0.5:
        files["memory/.dream_cursor"] = r.choice(["0", "-0", "+3", "0x1", "1e2", "299", " 300 ", "３００", "3_0_0", "_3", "3__0", "3.0", "", "x", "\ufeff3", "1\x1c", "1\n2", "9" * 30, "9" * 4301, "٣", "²", raw(b"\xff"), {"folder": TRUE}])
    if r.random() < 0.15 and isinstance(files.get("memory/.dream_cursor", ""), str):
        files["memory/HISTORY.md"] = "[2026-01-01 10:00] old\n"
        files["memory/history.jsonl"] = r.choice([files["memory/history.jsonl"], "", "\n"])
    request = {"unified_session": r.random() < 0.5}
    if r.random() < 0.6 and not long:
        request["session_key"] = r.choice(KEYS)
    return files, request, {}


def stored(r, i):
    role = r.choice(["user", "user", "assistant", "assistant", "assistant", "tool", "tool", "system"])
    m = {"role": role, "content": r.choice([prose(r, 1), words(r), words(r, 10, 40), "", "  "]), "timestamp": r.choice([f"2026-06-17T10:{i % 60:02d}:00", f"2026-06-17T10:{i % 60:02d}:00", "", NULL, 5])}
    if role == "assistant" and r.random() < 0.5:
        m["tool_calls"] = [{"id": f"c{i}", "function": {"name": "grep", "arguments": "{}"}}, {"id": r.choice(["", NULL, 5, "d"])}][:r.randint(1, 2)]
    if role == "tool":
        m |= {"tool_call_id": r.choice([f"c{i - 1}", f"c{i - 1}", f"c{i - 2}", "zz", "", NULL, 5]), "name": "grep"}
    if role == "user" or r.random() < 0.1:
        for key in ("media", "cli_apps", "mcp_presets"):
            if r.random() < 0.2:
                item = lambda: r.choice(["/tmp/a.png", "", 5, {}, {"name": " GH ", "entry_point": r.choice(ODD), "transport": r.choice(ODD)}, {"name": r.choice(ODD)}, {"name": "ΣΑΣ"}, {"name": "İx"}])  # noqa: E731
                m[key] = r.choice([[item() for _ in range(r.choice([1, 3, 10]))], [], "x", NULL])
    if role == "assistant" and r.random() < 0.3:
        m["content"] = r.choice(["[Message Time: 2026]\nhi", "[Message Time: a]b", "[Message Time: ]x", "[Message Time: x\ny]\n\nz", "a\n[image: /x.png]\u2028[image: ~]\n[image: ~/a]\x1c", " message(a\x85)\nb", "generate_image()\r\nx", "message(x) \x1f", "message(a)b\nmessage (x)", "[image: /a\tb] \u3000\nk"])
    for key, value in (("_command", r.choice(ODD)), ("_channel_delivery", r.choice(ODD)), ("reasoning_content", r.choice(["why", "", NULL, 5])), ("thinking_blocks", []), ("name", r.choice(["n", "", 5])), ("content", content(r)), ("tool_calls", r.choice([NULL, [], "x", {"id": "c1"}, 5, [5]])), ("role", r.choice(["user", NULL, 5, "tool"]))):
        if r.random() < 0.04:
            m[key] = value
    if r.random() < 0.02:
        del m[r.choice(["role", "content", "timestamp"])]
    return m


def session(r):
    key = r.choice([*KEYS, "telegram:1", "telegram:1", "telegram:1"])
    head = {"_type": "metadata", "key": key, "metadata": {}, "created_at": "2026-06-01T00:00:00", "updated_at": r.choice(["2026-06-18T00:00:00", "2026-06-18", "soon", "", NULL, 5, "20260618T0000", "2026-W25-4", "2026-06-18T00:00:00Z", "2026-06-18 10:00+05:30:15.5"]), "last_consolidated": 0}
    if r.random() < 0.5:
        head["last_consolidated"] = r.choice([*ODD, 2, 5, 12])
    if r.random() < 0.4:
        stamp = r.choice(["2026-06-10T08:00:00", "2026-06-10T08:00:00.5", "2026-06-10", "2026-06-10T08:00:00+08:00", "2026-06-10T08:00:00Z", "2026-06-10 08:00:00.123456789", "20260610", "2026-06-10T24:00", "10 June", "", *ODD])
        head["metadata"]["_last_summary"] = r.choice([{"text": words(r), "last_active": stamp}] * 6 + [{"text": r.choice(ODD), "last_active": "2026-06-10"}, {"text": "x"}, {"last_active": stamp}, *ODD])
    if r.random() < 0.4:
        goal = {"status": r.choice(["active"] * 5 + ["done", "Active", NULL, TRUE]), "objective": r.choice([words(r), " x\x1c", words(r, 300, 600), *ODD]), "ui_summary": r.choice([words(r), *ODD])}
        head["metadata"][r.choice(["goal_state", "thread_goal"])] = r.choice([goal, goal, goal, json.dumps(goal), json.dumps(goal) + "x", "[" * 3, *ODD])
        if r.random() < 0.1:
            head["metadata"]["goal_state"] = r.choice(ODD)
    if r.random() < 0.06:
        head["metadata"] = r.choice(ODD)
    lines = [head] + [stored(r, i) for i in range(r.choice([0, 3, 8, 20, 20, 130]))]
    if r.random() < 0.1:
        lines.insert(r.randint(0, len(lines)), head | {"metadata": {"second": 1}, "last_consolidated": 1})
    if r.random() < 0.1:
        del lines[0]
    texts = [json.dumps(m, ensure_ascii=r.random() < 0.3) for m in lines]
    if r.random() < 0.15:
        texts.insert(r.randint(0, len(texts)), r.choice(["{broken", "", "\x1c", "[]", "5", "null", '{"_type": "metadata"}', '{"_type": "other", "role": "user", "content": "odd"}', '{"role": "user", "content": NaN}', '{"role": "user", "content": "\\ud800"}', "\ufeff{}", "{}", '{"role": "user", "content": "a", "content": "b"}']))
    safe = "".join("_" if c in ':<>"/\\|?*' else c for c in key).strip()
    body = r.choice(["\n", "\n", "\n", "\r\n", "\r", "\n\n"]).join(texts) + "\n"
    files = {f"sessions/{safe}.jsonl": body if r.random() > 0.03 else r.choice([raw(body.encode("utf-8", "surrogatepass") + b"\xff\n"), {"folder": TRUE}, ""])}
    request = {"session": {"key": key, "max_messages": r.choice([120, 120, 0, 1, 2, 5, 17]), "max_tokens": r.choice([0, 0, 1, 20, 60, 200, 1500])}, "message": words(r)}
    if r.random() < 0.1:
        request["current_role"] = r.choice(["assistant", "tool"])
    files["memory/history.jsonl"] = "".join(entry(r, n + 1, 4) + "\n" for n in range(3))
    return files, request, {}


def damaged(r):
    files = {}
    for name in ("AGENTS.md", "SOUL.md", "USER.md", "memory/MEMORY.md", "memory/history.jsonl", "skills/s/SKILL.md"):
        text = r.choice([prose(r, 3), words(r), "", "\ufeff" + words(r), "\0", " \u2028 ", "\r", "\n\r", "\r\r\n", "x" * 20000, words(r, 400, 600), skill("description: d", prose(r, 2)), "\x1a", "\u2029---\n---", "\ufffe"])
        files[name] = r.choice([text] * 10 + [raw(text.encode() + r.choice([b"\xff", b"\xc3", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xc0\x80"])), raw(text.encode("utf-16")), {"folder": TRUE}])
        if r.random() < 0.4:
            del files[name]
    for name in ("memory", "skills", "sessions"):
        if not any(f.startswith(name) for f in files) and r.random() < 0.15:
            files[name] = r.choice(["a file", ""])
    return files, {"session": {"key": "s:1"}} if r.random() < 0.2 else {}, {}


def skills(r):
    atoms = ["gh", "jq", "", ".", "..", "g", "no such", "名", "nope/x", "./nope", "gh ", "5", 5, NULL, TRUE, 1.5, [], ["gh"], {"a": 1}]
    lists = lambda: r.choice([r.sample(atoms[:12], r.randint(0, 4))] * 6 + [r.sample(atoms, 3), "gh", "", NULL, 0, 5, False, {}, {"gh": 1, "jq": NULL}, {"": ""}])  # noqa: E731
    files = {}
    for name in r.sample(["notes", "clock", "s", "t", "with space", "名前", "a`b*", ".dot", "e\u0301"], r.randint(1, 4)):
        requires = r.choice([{"bins": lists(), "env": [r.choice(["TOKEN", "EMPTY", "HOME", "PATH", "A=B", "é", ""])]}] * 3 + [{"bins": lists()}, {"env": lists()}, {}, {}, NULL, [], "bins", 5, {"bins": ["gh"], "any": 1}])
        inner = {r.choice(["nanobot", "nanobot", "openclaw", "other"]): r.choice([{"requires": requires, "always": r.choice([*ODD, TRUE, TRUE])}] * 6 + ODD)}
        if r.random() < 0.2:
            inner["openclaw"] = {"always": TRUE}
        front = f"description: {r.choice(['d', json.dumps(prose(r, 1), ensure_ascii=False), json.dumps(r.choice(ODD)), '!!binary aGk=', '!!set {b}', '!!omap [a: 1]', '!!python/none x', '2026-01-02 03:04:05 +1:30'])}\n"
        front += f"always: {json.dumps(r.choice(ODD))}\n" if r.random() < 0.4 else ""
        text = json.dumps(inner, ensure_ascii=False)
        front += r.choice([f"metadata: {text}", f"metadata: {json.dumps(text)}", "metadata: |\n  " + text, f"metadata: {json.dumps(r.choice(ODD))}", "metadata: {openclaw: {requires: {bins: !!set {gh}}}}", "metadata: {nanobot: {requires: {env: !!omap [TOKEN: 1]}}}"])
        files[f"skills/{name}/SKILL.md"] = r.choice([skill(front, prose(r, 2))] * 12 + ["", {"folder": TRUE}, raw(b"\xff"), skill(front).replace("\n", "\r")])
    if r.random() < 0.2:
        files[f"skills/{r.choice(['notes', 'empty'])}/other.md"] = "no skill"
    rest = {"bins": r.sample(["gh", "jq", "g", "5", "名", "gh "], r.randint(0, 4)), "env": {k: v for k, v in {"TOKEN": "1", "EMPTY": "", "é": "x"}.items() if r.random() < 0.5}, "builtin_skills": r.random() < 0.6}
    if r.random() < 0.3:
        rest["disabled_skills"] = r.sample(["notes", "clock", "s", "名前", "", "Notes", "notes ", "update-setup"], r.randint(1, 4))
    return files, {}, rest


THEMES = [media, links, merge, host, long_history, session, session, damaged, skills]

if __name__ == "__main__":
    seed, count = int(sys.argv[1]), int(sys.argv[2])
    r = random.Random(seed)
    for i in range(count):
        theme = r.choice(THEMES)
        files, request, rest = theme(r)
        request.setdefault("message", "hello")
        print(json.dumps({"name": f"{theme.__name__}-{seed}-{i}", "files": files, "request": request, **rest}, ensure_ascii=True))
