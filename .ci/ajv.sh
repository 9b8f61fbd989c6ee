#!/usr/bin/env bash
# Holds canonical rows against the published schema with ajv, the validator of the JavaScript world.
#
#   bash .ci/ajv.sh good.json... [-- bad.json...]
#
# A file holds one row, an array of rows, or a row a line. Exit status 0: every row of the good files is
# valid and every row of the bad files is not. AJV_SCHEMA names another schema file.
# Needs node and npm; ajv goes into a temporary folder and leaves with it.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
schema=${AJV_SCHEMA:-$here/schemas/eval-set/v1.json}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

if [ $# -eq 0 ]; then
  echo "usage: bash .ci/ajv.sh good.json... [-- bad.json...]" >&2
  exit 2
fi

mkdir "$folder/rows" "$folder/rows/good" "$folder/rows/bad"
# ajv-cli reads one document a file, so the rows are put into files of their own.
node - "$folder/rows" "$@" <<'SPLIT'
const { readFileSync, writeFileSync } = require("node:fs");
const { basename, join } = require("node:path");
const [folder, ...files] = process.argv.slice(2);

function rowsOf(text) {
  try {
    const whole = JSON.parse(text);
    return Array.isArray(whole) ? whole : [whole];
  } catch {
    return text.split("\n").filter((line) => line.trim()).map((line) => JSON.parse(line));
  }
}

let verdict = "good";
let number = 0;
for (const file of files) {
  if (file === "--") {
    verdict = "bad";
    continue;
  }
  const rows = rowsOf(readFileSync(file, "utf8"));
  if (rows.length === 0) throw new Error(`${file}: no rows`);
  rows.forEach((row, index) => {
    const name = `${String(++number).padStart(6, "0")}.${basename(file)}.row${index + 1}.json`;
    writeFileSync(join(folder, verdict, name), JSON.stringify(row));
  });
}
SPLIT

npm install --silent --no-audit --no-fund --no-save --prefix "$folder" ajv-cli@5.0.0 ajv@8.17.1 >&2
version() { node -p "require('$folder/node_modules/$1/package.json').version"; }
echo "ajv-cli $(version ajv-cli), ajv $(version ajv), node $(node --version)"

# hold VERDICT WORD: every row under rows/VERDICT must be told to be WORD; none may be told nothing.
# Strict mode is off because the schema carries annotations of its own (x-...).
hold() {
  local verdict=$1 word=$2 rows told
  rows=$(find "$folder/rows/$verdict" -name '*.json' | wc -l)
  if [ "$rows" -eq 0 ]; then
    return 0
  fi
  "$folder/node_modules/.bin/ajv" validate --spec=draft2020 --strict=false --errors=line \
    -s "$schema" -d "$folder/rows/$verdict/*.json" >"$folder/$verdict.log" 2>&1 || true
  told=$(grep -c "\.json $word\$" "$folder/$verdict.log" || true)
  echo "$verdict rows: $told of $rows are $word"
  if [ "$told" -ne "$rows" ]; then
    grep -v "\.json $word\$" "$folder/$verdict.log" >&2 || true
    return 1
  fi
}

status=0
hold good valid || status=1
hold bad invalid || status=1
exit "$status"
