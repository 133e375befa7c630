#!/usr/bin/env bash
# Prints the path of Conftest, which tests the policies in examples/policy. Builds it once per user from its Go module, which takes minutes.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
folder="${XDG_CACHE_HOME:-$HOME/.cache}/pulumi-webdata/conftest-0.66.0"
if [ ! -x "$folder/conftest" ]; then
  mkdir -p "$folder"
  go build -C "$here/conftest" -mod=readonly -ldflags '-s -w' -o "$folder/building-$$" github.com/open-policy-agent/conftest >&2
  mv "$folder/building-$$" "$folder/conftest"
fi
echo "$folder/conftest"
