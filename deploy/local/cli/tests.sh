# shellcheck shell=bash
# `rondo test`: the whole suite, its fast part, or chosen tests, once or repeatedly.

PYTEST_FOLDERS=(query-api loadgen/verify loadgen/bench/python connectors/clients/python deploy/local/cli)

# run_tests ARGUMENT...: see `./rondo test --help`.
run_tests() {
  local kind=test repeat="" load=() options=() chosen=() command="./rondo test${*:+ $*}"
  MAVEN_OPTIONS=() PYTEST_OPTIONS=() PYTEST_MARKS="" PYTEST_SESSION=()
  while [ $# -gt 0 ]; do
    case $1 in
      --fast | --all) kind=${1#--} && options+=("$1") ;;
      --repeat) repeat=${2:-none} && shift ;;
      --repeat=*) repeat=${1#*=} ;;
      --load) ;;
      --no-load) load=("$1") ;;
      -D?*=*) MAVEN_OPTIONS+=("$1") && options+=("$1") ;;
      --hypothesis-seed=*) PYTEST_OPTIONS+=("$1") && options+=("$1") ;;
      -*) fail "rondo test has no option '$1'; ./rondo test --help shows all" 2 ;;
      *) chosen+=("$1") && options+=("$1") ;;
    esac
    shift || break
  done
  if [ "$kind" = fast ] && [ ${#chosen[@]} -gt 0 ]; then
    fail "--fast selects the tests: omit either it or '${chosen[*]}'" 2
  fi
  find_java
  find_python
  cd "$root" || exit
  export RONDO_CLASS_ARCHIVES="" # archives do not pay off for a single start; Maven sets it for Java tests
  unset PYTHONDONTWRITEBYTECODE # otherwise each start of the query API compiles its modules
  [ -z "$repeat" ] || repeat_tests "${load[@]}" "$root" "$repeat" -- "${options[@]}"
  [ ${#chosen[@]} = 0 ] || [ "$kind" = all ] || kind=chosen
  choose_options "$kind"
  if [ ${#chosen[@]} -gt 0 ]; then
    run_chosen "$command" "${chosen[@]}"
  else
    run_suite "$kind" "$command"
  fi
}

# repeat_tests [--no-load] ROOT RUNS -- ARGUMENT...: runs `rondo test ARGUMENT...` RUNS times.
repeat_tests() {
  PYTHONPATH="$root/deploy/local/cli" exec "$PYTHON" -m repeat "$@"
}

# choose_options KIND: selects tests by their marks. Named tests run even if they are long.
choose_options() {
  case $1 in
    fast) PYTEST_MARKS="not server and not long" ;;
    all) MAVEN_OPTIONS+=(-Dexcluded.groups=none -Dtries.percent=100 -Derrorprone) ;;
    chosen) MAVEN_OPTIONS+=(-Dexcluded.groups=none) ;;
    *)
      PYTEST_MARKS="not long"
      MAVEN_OPTIONS+=(-Dcyclonedx.skip) # only a release needs it
      ;;
  esac
}

# run_suite KIND COMMAND: tests without servers come first, and a failure there ends the run. All others always run.
run_suite() {
  begin_run "$2"
  if ! tests_without_servers "$1" || [ "$1" = fast ]; then
    end_run "$1"
  else
    install_partners
    if begin_testbed; then
      server_tests
      end_run "$1" --complete
    else
      end_run "$1"
    fi
  fi
}

# tests_without_servers KIND: runs Python's beside Java's.
tests_without_servers() {
  local failed=0
  begin_stage "static checks" python_without_servers "$1"
  stage "java unit tests" unit_tests "$1" || failed=1
  end_stage "static checks" || failed=1
  return "$failed"
}

python_without_servers() {
  local failed=0
  stage "python packages" make_venv dev || return
  if [ "$1" = fast ]; then
    static_checks || failed=1
    stage pytest python_tests "${PYTEST_FOLDERS[@]}" || failed=1
  else
    stage graphite-web make_graphite_web || true # without it, the tests that compare with it fail
    static_checks || failed=1
  fi
  return "$failed"
}

make_graphite_web() {
  in_folder query-api python -c 'from tests.differential import graphite_web; graphite_web.python()'
}

# Builds like `build`, so that `rondo postgres`, which pytest starts, does not build again. Without servers, packages
# nothing. Also checks the format, in the same run of Maven.
unit_tests() {
  if [ "$1" = fast ]; then
    maven spotless:check test -T 3 "${MAVEN_OPTIONS[@]}"
  else
    delete_outdated_jars
    touch "$BUILD_STAMP.new"
    maven spotless:check verify -DskipITs -T 3 "${MAVEN_OPTIONS[@]}" && mv "$BUILD_STAMP.new" "$BUILD_STAMP"
  fi
}

# Python's tests run beside Java's, because each alone leaves a core idle. Linux divides CPU time among sessions
# (autogroup): in the session of Maven and its JVMs, pytest would get a tenth.
server_tests() {
  ! command -v setsid >/dev/null || PYTEST_SESSION=(setsid --wait)
  begin_stage pytest python_tests "${PYTEST_FOLDERS[0]}"
  begin_stage "pytest elsewhere" python_tests "${PYTEST_FOLDERS[@]:1}"
  stage "java integration tests" integration_tests || true
  end_stage "pytest elsewhere" || true
  end_stage pytest || true
  end_testbed
}

# A failure in one module does not skip those that depend on it. A crashed JVM has no report, but its module's summary.
integration_tests() {
  maven verify -DonlyITs -T 4 --fail-at-end -Dmaven.test.failure.ignore "${MAVEN_OPTIONS[@]}" || return 1
  ! grep -l '<failureMessage>' "$root"/*/target/failsafe-reports/failsafe-summary.xml \
    "$root"/{*/*,*/*/*}/target/failsafe-reports/failsafe-summary.xml
}

# python_tests FOLDER...
python_tests() {
  local folder failed=0
  for folder in "$@"; do
    pytest_in "$folder" || failed=1
  done
  return "$failed"
}

# pytest_in FOLDER ARGUMENT...: runs the tests with the marks of the options. Having none is not a failure.
pytest_in() {
  local code=0
  in_folder "$1" "${PYTEST_SESSION[@]}" pytest --junit-xml "$root/target/pytest-${1//\//-}.xml" \
    ${PYTEST_MARKS:+-m "$PYTEST_MARKS"} "${PYTEST_OPTIONS[@]}" "${@:2}" || code=$?
  [ "$code" = 0 ] || [ "$code" = 5 ]
}

# run_chosen COMMAND NAME...: runs only these tests, and builds only what they need.
run_chosen() {
  local choice kind value name modules="" unit="" it="" folders=() tests=() folder arguments index
  choice=$("$PYTHON" "$root/deploy/local/cli/choose.py" "$root" "${@:2}") || exit
  while IFS=$'\t' read -r kind value name; do
    case $kind in
      modules) modules=$value ;;
      unit) unit=$value ;;
      it) it=$value ;;
      pytest) folders+=("$value") tests+=("$name") ;;
    esac
  done <<<"$choice"
  begin_run "$1"
  make_venv dev
  [ -z "$it${folders[*]}" ] || install_partners
  if [ -n "$modules" ]; then
    stage "java tests" chosen_java "$modules" "$unit" "$it" || true
  fi
  for folder in "${PYTEST_FOLDERS[@]}"; do
    arguments=()
    for index in "${!folders[@]}"; do
      [ "${folders[index]}" != "$folder" ] || arguments+=("${tests[index]}")
    done
    [ ${#arguments[@]} = 0 ] || stage "pytest in $folder" pytest_in "$folder" "${arguments[@]}" || true
  done
  end_run chosen
}

# chosen_java MODULES UNIT IT: runs comma-separated unit tests and integration tests of modules.
chosen_java() {
  local options=(-T 2 -pl "$1" -am "-Dtest=${2:-none}" -Dsurefire.failIfNoSpecifiedTests=false)
  case ",$1," in *,deploy/helm,* | *,deploy/images,*) ;; *) options+=(-Dfast) ;; esac # skips the chart and the lists of a release
  if [ -n "$3" ]; then
    maven verify "${options[@]}" "-Dit.test=$3" -Dfailsafe.failIfNoSpecifiedTests=false "${MAVEN_OPTIONS[@]}"
  else
    maven test "${options[@]}" "${MAVEN_OPTIONS[@]}"
  fi
}
