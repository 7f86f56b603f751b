# shellcheck shell=bash
# Static checks of Python and shell scripts, and `rondo fmt`.

RUFF_FOLDERS=(. ../loadgen/verify ../loadgen/bench/python ../connectors/clients/python ../deploy/local/cli ../deploy/helm ../topology/formats/src/test/python)

# Runs all checks, and fails if one fails.
static_checks() {
  local failed=0
  local -x MYPY_CACHE_DIR="$root/target/mypy" # the projects share most of their imports
  stage shellcheck "$VENV/bin/shellcheck" --external-sources --check-sourced rondo .ci/run deploy/dist/bin/rondo || failed=1
  stage "ruff check" in_folder query-api ruff check "${RUFF_FOLDERS[@]}" || failed=1
  stage "ruff format" in_folder query-api ruff format --check "${RUFF_FOLDERS[@]}" || failed=1
  stage mypy in_folder query-api mypy || failed=1
  stage "mypy of verify" in_folder loadgen/verify mypy || failed=1
  stage "mypy of the benchmarks" in_folder loadgen/bench/python mypy || failed=1
  stage "mypy of the client" in_folder connectors/clients/python mypy || failed=1
  stage "mypy of the commands" in_folder deploy/local/cli mypy || failed=1
  return "$failed"
}

format_all() {
  find_java
  cd "$root" || exit
  make_venv dev
  maven --quiet -T 2 spotless:apply
  in_folder query-api ruff check --fix "${RUFF_FOLDERS[@]}"
  in_folder query-api ruff format "${RUFF_FOLDERS[@]}"
}

# in_folder FOLDER COMMAND...: runs a program of the virtual environment.
in_folder() {
  (cd "$root/$1" && PATH="$VENV/bin:$PATH" "${@:2}")
}

maven() {
  find_unzip
  "$root/mvnw" --batch-mode -f "$root/pom.xml" "$@"
}
