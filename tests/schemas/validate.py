"""Validates the reports of `promptscope check` on an example and on a folder of faults.

    validate.py PROGRAM EXAMPLE SARIF_SCHEMA JUNIT_SCHEMA
"""

import json
import os
import subprocess
import sys
import tempfile

import jsonschema
import xmlschema

FAULTS = {
    "AGENTS.md": "a <b> & \"c\" \u202e\u200b {{ x }} TODO\n\tToday is 2026-06-19.\n".encode(),
    "SOUL.md": b"caf\xe9\n",
    "memory/history.jsonl": b'{"cursor": "1"}\n42\n',
    "skills/a b \xc3\xa9/SKILL.md".encode("latin-1").decode("utf-8"): b"---\ndescription: a: b\n---\n",
    "skills/c/SKILL.md": b"---\ndescription: D\nmetadata: {nanobot: {requires: null}}\n---\n",
}


def report(program, workspace, form):
    run = subprocess.run(
        [program, "check", workspace, "--format", form, "--skill-order", "name"],
        stdout=subprocess.PIPE,
        check=False,
    )
    assert run.returncode in (0, 1), run.returncode
    return run.stdout


def main():
    program, example, sarif_schema, junit_schema = sys.argv[1:]
    with open(sarif_schema, encoding="utf-8") as file:
        schema = json.load(file)
    sarif = jsonschema.validators.validator_for(schema)(schema)
    junit = xmlschema.XMLSchema(junit_schema)
    with tempfile.TemporaryDirectory() as faults:
        for path, text in FAULTS.items():
            path = os.path.join(faults, path)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "wb") as file:
                file.write(text)
        for workspace in (example, faults):
            log = json.loads(report(program, workspace, "sarif"))
            sarif.validate(log)
            results = len(log["runs"][0]["results"])
            assert results > 0
            xml = report(program, workspace, "junit")
            junit.validate(xml.decode("utf-8"))
            assert xml == report(program, workspace, "junit"), "the same input gives other bytes"
            print(f"{os.path.basename(workspace)}: {results} results, both reports are valid")


main()
