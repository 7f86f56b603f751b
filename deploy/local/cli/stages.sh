# shellcheck shell=bash
# A test run is a sequence of stages. Each has its output in target/test-run and a line in stages.tsv there, from which
# the final report is made.

RUN="$root/target/test-run"
STAGES="$RUN/stages.tsv"
STARTED=() # names of the stages in the background

# begin_run COMMAND: deletes the results of earlier runs.
begin_run() {
  delete_reports
  mkdir -p "$RUN"
  trap await_started EXIT
  report begin --command "$1"
}

delete_reports() {
  rm -rf "$RUN" "$root"/target/{test-journal,test-failures,test-report.json,junit.xml} "$root"/target/pytest-*.xml
  find "$root" \( -name .git -o -name .venv -o -name src -o -name classes -o -name lib \) -prune \
    -o \( -name surefire-reports -o -name failsafe-reports \) -path '*/target/*' -prune -exec rm -rf {} +
}

# end_run KIND [--complete]: prints the report; fails unless the run is green. KIND: test, all, fast or chosen.
end_run() {
  await_started
  report end --kind "$@"
}

report() {
  PYTHONPATH="$root/deploy/local/cli" "$PYTHON" -m report "$1" "$root" "${@:2}"
}

# stage NAME COMMAND...: runs a stage and shows its output.
stage() {
  local name=$1 start=$SECONDS code=0 log
  log=$(log_of "$name")
  printf '\n--- %s\n' "$name"
  "${@:2}" 2>&1 </dev/null 9>&- | tee "$log" || code=$?
  note_stage "$name" $((SECONDS - start)) "$code"
}

# begin_stage NAME COMMAND...: runs a stage in the background.
begin_stage() {
  local log
  log=$(log_of "$1")
  (
    start=$SECONDS code=0
    "${@:2}" >"$log" 2>&1 </dev/null 9>&- || code=$?
    echo "$((SECONDS - start)) $code" >"$log.end"
  ) &
  echo $! >"$log.pid"
  STARTED+=("$1")
}

# end_stage NAME: waits for a stage in the background and shows its output.
end_stage() {
  local log seconds=0 code=1
  log=$(log_of "$1")
  wait "$(cat "$log.pid")" || true
  rm "$log.pid"
  printf '\n--- %s, meanwhile\n' "$1"
  cat "$log"
  read -r seconds code <"$log.end" || true
  note_stage "$1" "$seconds" "$code"
}

log_of() { echo "$RUN/$(tr " /" "--" <<<"$1").log"; }

# note_stage NAME SECONDS CODE: returns whether the stage succeeded.
note_stage() {
  printf '%s\t%d\t%d\t%s\n' "$1" "$2" "$3" "$(log_of "$1")" >>"$STAGES"
  if [ "$3" != 0 ]; then
    printf -- '--- %s: failed, %d s\n' "$1" "$2"
    return 1
  fi
  printf -- '--- %s: ok, %d s\n' "$1" "$2"
}

# Waits for stages in the background, which must end their servers.
await_started() {
  local name
  for name in "${STARTED[@]}"; do
    [ ! -e "$(log_of "$name").pid" ] || end_stage "$name" || true
  done
}
