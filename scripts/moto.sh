#!/usr/bin/env bash
# Prints the path of moto's server, an S3 server for tests. Installs it once per user, in a folder that all checkouts share.
set -euo pipefail

version=5.2.5
folder="${XDG_CACHE_HOME:-$HOME/.cache}/pulumi-webdata/moto-$version"
mkdir -p "$(dirname "$folder")"
# Two test runs may install it at the same time. macOS has no flock.
exec 9>"$folder.lock"
if command -v flock >/dev/null; then flock 9; fi
if [ ! -x "$folder/bin/moto_server" ]; then
  rm -rf "$folder"
  python3 -m venv "$folder"
  "$folder/bin/pip" install --quiet --disable-pip-version-check "moto[server]==$version" >&2
fi
echo "$folder/bin/moto_server"
