#!/usr/bin/env bash
# Runs the conformance suite of the Model Context Protocol against
# examples/mcp-everything and holds it against the lists beside this file of
# what a server of tools alone does not have. It ends with 1 when anything else
# fails, or when something on a list works.
#
#   .ci/conformance/conformance.sh
#   .ci/conformance/conformance.sh /tmp/conformance/dist/index.js
#
# The second form takes a suite built from its source, which knows 2026-07-28:
#
#   git clone https://github.com/modelcontextprotocol/conformance /tmp/conformance
#   cd /tmp/conformance && npm ci --ignore-scripts && npm run build
#
# Needed: Go and npm; Node 22 or newer and the suite are installed once into
# ~/.cache/facet-ci.
set -euo pipefail
exec </dev/null
cd "$(dirname "$0")/../.."

readonly suite_version=0.1.16
readonly run_time=60 # seconds for one version

readonly here=.ci/conformance
readonly tools="${XDG_CACHE_HOME:-$HOME/.cache}/facet-ci"
export PATH="$tools/node_modules/node/bin:$PATH"

node_is_new() { command -v node >/dev/null && [ "$(node -p 'process.versions.node.split(".")[0]')" -ge 22 ]; }

# install_suite installs beside and renames, so that half of it is never used.
install_suite() {
	local dir="$tools/npm-conformance-$suite_version" fresh
	suite="$dir/node_modules/@modelcontextprotocol/conformance/dist/index.js"
	if [ -e "$suite" ]; then return 0; fi
	fresh=$(mktemp -d "$tools/installing.XXXXXX")
	timeout 300 npm install --prefix "$fresh" --no-audit --no-fund --silent --ignore-scripts \
		"@modelcontextprotocol/conformance@$suite_version"
	rm -rf "$dir"
	mv "$fresh" "$dir"
}

# serve starts the example on a free port and sets url.
serve() {
	work=$(mktemp -d)
	go build -o "$work/mcp-everything" ./examples/mcp-everything
	"$work/mcp-everything" -addr 127.0.0.1:0 >"$work/out" 2>"$work/log" &
	server=$!
	for _ in $(seq 100); do
		url=$(sed -n 's/^Tools at //p' "$work/out")
		if [ -n "$url" ]; then return 0; fi
		sleep 0.1
	done
	echo "mcp-everything does not start:"
	cat "$work/log"
	return 1
}

end() {
	if [ -n "${server-}" ]; then kill "$server" 2>/dev/null || true; fi
	if [ -n "${work-}" ]; then rm -rf "$work"; fi
}

# check VERSION ARGUMENT… runs the scenarios of a version. Of a run that is as
# expected only the sum is shown.
check() {
	local version=$1 out="$work/$1.txt"
	shift
	if timeout "$run_time" node "$suite" server --url "$url" "$@" --expected-failures "$here/$version.yml" >"$out" 2>&1; then
		printf '%s: %s, as listed in %s/%s.yml\n' "$version" "$(sed -n 's/^Total: //p' "$out")" "$here" "$version"
		return 0
	fi
	sed -n '/SUMMARY/,$p' "$out" | grep . || tail -n 40 "$out"
	printf '%s: not as listed in %s/%s.yml\n' "$version" "$here" "$version"
	return 1
}

mkdir -p "$tools"
node_is_new || timeout 300 npm install --prefix "$tools" --no-audit --no-fund --silent node@22
suite=${1-}
trap end EXIT
status=0
if [ -n "$suite" ]; then
	serve
	check 2026-07-28 --requirements 2026-07-28 || status=1
else
	install_suite
	serve
	check 2025-06-18 --suite all --spec-version 2025-06-18 || status=1
	check 2025-11-25 --suite all --spec-version 2025-11-25 || status=1
fi
exit $status
