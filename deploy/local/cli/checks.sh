# shellcheck shell=bash
# `rondo test` and `rondo fmt`.

PYTEST_REPORTS=("$root/target/pytest-query-api.xml" "$root/target/pytest-verify.xml" "$root/target/pytest-client.xml")
RUFF_FOLDERS=(. ../loadgen/verify ../client/python ../deploy/local/cli ../deploy/helm ../topology/formats/src/test/python)

run_checks() {
  local fast=false
  case "${1:-}" in
    "") ;;
    --fast) fast=true ;;
    *) fail "rondo test takes only --fast, not '$1'" 2 ;;
  esac
  find_java
  cd "$root" || exit
  make_venv dev
  forget_reports

  stage shellcheck "$VENV/bin/shellcheck" --external-sources --check-sourced rondo .ci/run deploy/dist/bin/rondo
  stage "ruff check" in_query_api ruff check "${RUFF_FOLDERS[@]}"
  stage "ruff format" in_query_api ruff format --check "${RUFF_FOLDERS[@]}"
  stage mypy in_query_api mypy
  stage "mypy of verify" in_verify mypy
  stage "mypy of the client" in_client mypy
  stage "java format" maven --quiet spotless:check
  stage "java unit tests" build_with_tests
  if $fast; then
    stage pytest python_tests
  else
    install_partners
    begin_beside python_tests
    stage "java integration tests" maven verify -DonlyITs -T 2 --fail-at-end
    stage "pytest, meanwhile" end_beside
  fi
  report_tests
}

format_all() {
  find_java
  cd "$root" || exit
  make_venv dev
  maven --quiet spotless:apply
  in_query_api ruff check --fix "${RUFF_FOLDERS[@]}"
  in_query_api ruff format "${RUFF_FOLDERS[@]}"
}

python_tests() {
  in_query_api pytest --junit-xml "${PYTEST_REPORTS[0]}" &&
    in_verify pytest --junit-xml "${PYTEST_REPORTS[1]}" &&
    in_client pytest --junit-xml "${PYTEST_REPORTS[2]}"
}

# begin_beside COMMAND: runs COMMAND in the background, beside a stage that mostly waits. It is awaited at every
# exit, because it has servers to end.
begin_beside() {
  "$@" >"$root/target/beside.log" 2>&1 </dev/null &
  BESIDE=$!
  trap 'wait "$BESIDE" 2>/dev/null || true' EXIT
}

# Waits for the background command, shows its output and returns its exit code.
end_beside() {
  local code=0
  wait "$BESIDE" || code=$?
  cat "$root/target/beside.log"
  return "$code"
}

# Installs programs that tests use: RRDtool to compare arithmetic, collectd to write to Kafka, promtool to test the
# alerts, Chromium to open the explorer, PgBouncer, podman to run the images, a systemd in a container to follow its
# page. Without them the tests are skipped with a message.
install_partners() {
  if [ "${CI:-}" != true ] || [ "$(id -u)" != 0 ]; then
    return
  fi
  { apt-get -qq update && apt-get -qq install --yes --no-install-recommends \
    rrdtool collectd-core librdkafka1 libyajl2 prometheus chromium pgbouncer podman runc systemd-container; } >/dev/null ||
    echo "rondo: apt has no rrdtool, collectd, prometheus, chromium, pgbouncer, podman or systemd-container: the tests with them will be skipped" >&2
}

# stage NAME COMMAND...: runs a stage; its failure ends the script.
stage() {
  local name=$1 began=$SECONDS
  shift
  printf '\n--- %s\n' "$name"
  if ! "$@"; then
    report_tests || true
    fail "'$name' failed after $((SECONDS - began)) s"
  fi
  printf -- '--- %s: ok, %d s\n' "$name" $((SECONDS - began))
}

in_query_api() {
  (cd "$root/query-api" && PATH="$VENV/bin:$PATH" "$@")
}

in_verify() {
  (cd "$root/loadgen/verify" && PATH="$VENV/bin:$PATH" "$@")
}

in_client() {
  (cd "$root/client/python" && PATH="$VENV/bin:$PATH" "$@")
}

maven() {
  "$root/mvnw" --batch-mode -f "$root/pom.xml" "$@"
}

# Builds the same as `build`, so that `rondo postgres`, which pytest starts, does not build again.
build_with_tests() {
  touch "$BUILD_STAMP.new"
  maven verify -DskipITs -T 2 && mv "$BUILD_STAMP.new" "$BUILD_STAMP"
}

forget_reports() {
  mkdir -p "$root/target"
  rm -f "${PYTEST_REPORTS[@]}"
  find "$root" \( -name surefire-reports -o -name failsafe-reports \) -path '*/target/*' \
    -prune -exec rm -rf {} +
}

# Prints the tests that failed and the totals, from the reports of surefire, failsafe and pytest.
report_tests() {
  "$VENV/bin/python" "$root/deploy/local/cli/report_tests.py" "$root" "${PYTEST_REPORTS[@]}"
}
