#!/bin/sh
# Builds the studio into a folder of classes: sh build.sh OUTPUT. Without npm, or where npm cannot fetch what is
# needed, it says so and leaves the studio out; the server then has none, and says why. Work that is done already is
# not done again: npm runs when the lock file has changed, the build when a source has.
set -eu

home=$(CDPATH='' cd -P "${0%/*}" && pwd)
output=$1
work=$home/../../../target/studio
log=$work/build.log

say() { printf 'studio: %s\n' "$*"; }

leave_out() {
  rm -rf "$output"
  say "$* The server is built without the studio."
  exit 0
}

digest() { cat "$@" | cksum; }

command -v npm >/dev/null 2>&1 || leave_out "npm is not on PATH."

mkdir -p "$work"
work=$(CDPATH='' cd -P "$work" && pwd)
log=$work/build.log
sources=$(cd "$home" && find . -type f -not -path './node_modules/*' -not -path './dist/*' | LC_ALL=C sort)
now=$(cd "$home" && printf '%s\n' "$sources" | while IFS= read -r file; do
  printf '%s ' "$file"
  cksum <"$file"
done | cksum)
if [ ! -f "$work/built" ] || [ "$(cat "$work/built")" != "$now" ]; then
  rm -rf "$work/built" "$work/src" "$work/public" "$work/test" "$work/browser"
  (cd "$home" && printf '%s\n' "$sources" | while IFS= read -r file; do
    mkdir -p "$work/${file%/*}"
    cp "$file" "$work/$file"
  done)
  lock=$(digest "$work/package-lock.json")
  if [ ! -f "$work/installed" ] || [ "$(cat "$work/installed")" != "$lock" ]; then
    rm -f "$work/installed"
    (cd "$work" && npm ci --no-audit --no-fund --prefer-offline) >"$log" 2>&1 ||
      leave_out "npm cannot install its packages (see $log)."
    printf '%s' "$lock" >"$work/installed"
  fi
  if ! (cd "$work" && npm run --silent build) >"$log" 2>&1; then
    cat "$log" >&2
    exit 1
  fi
  printf '%s' "$now" >"$work/built"
fi
if [ ! -f "$output/built" ] || [ "$(cat "$output/built")" != "$now" ]; then
  rm -rf "$output"
  mkdir -p "$output"
  cp -R "$work/dist/." "$output"
  printf '%s' "$now" >"$output/built"
fi
