#!/usr/bin/env bash
# Installs moto, an S3 server for tests, into a folder of its own where it is not there yet; prints what starts it.
set -euo pipefail
cd "$(dirname "$0")/.."

folder=node_modules/.cache/moto
if [ ! -x "$folder/bin/moto_server" ]; then
  python3 -m venv "$folder"
  "$folder/bin/pip" install --quiet --disable-pip-version-check 'moto[server]==5.2.5' >&2
fi
echo "$folder/bin/moto_server"
