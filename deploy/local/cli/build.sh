# shellcheck shell=bash
# Builds missing or outdated artifacts: jars with Maven, and the query API's Python environment in query-api/.venv.

BUILD_STAMP="$root/target/.built"
BUILD_LOG="$root/target/build.log"
BUILD_OPTIONS=(-Dfast -Dmaven.test.skip=true)
VENV="$root/query-api/.venv"
VENV_LOG="$root/target/venv.log"

is_packaged() {
  [ -d "$root/deploy/local/target/lib" ] && compgen -G "$root/deploy/local/target/*.jar" >/dev/null
}

# Succeeds if every source is older than the last build.
is_built() {
  is_packaged && [ -e "$BUILD_STAMP" ] || return 1
  local newer
  newer=$(find "$root" \( -name target -o -name .git -o -name .venv -o -name .rondo \) -prune \
    -o \( -name pom.xml -o -path '*/src/*' -o -path '*/schemas/sql*' -o -path '*/schemas/messages*' \
    -o -path '*/schemas/golden*' \) ! -path '*/src/test/*' ! -path '*/query-api/*' ! -path '*/loadgen/verify/*' ! -path '*/loadgen/bench/python/*' \
    ! -path '*/connectors/clients/python/*' -newer "$BUILD_STAMP" -print -quit)
  [ -z "$newer" ]
}

build() {
  if [ -n "${RONDO_NO_BUILD:-}" ] || is_built; then
    return 0
  fi
  find_unzip
  mkdir -p "$root/target"
  delete_outdated_jars
  touch "$BUILD_STAMP.new" # sources that change during the build count as newer
  with_progress "building Rondo" "$BUILD_LOG" 's/^.*Building \(Rondo[^]]*\) 0.*\[\(.*\)\].*$/\1 \2/p' \
    "$root/mvnw" --batch-mode -f "$root/pom.xml" -Dstyle.color=never "${BUILD_OPTIONS[@]}" package
  mv "$BUILD_STAMP.new" "$BUILD_STAMP"
}

# Deletes jars that would also be on the class paths: Rondo's own of other versions, and once a pom has changed, all
# copied libraries.
delete_outdated_jars() {
  find "$root" \( -name .git -o -name .venv -o -name .rondo \) -prune \
    -o -path '*/target/*' -name 'rondo-*.jar' ! -name "rondo-*-$(rondo_version).jar" \
    ! -name "rondo-*-$(rondo_version)-*.jar" -exec rm {} +
  if [ ! -e "$BUILD_STAMP" ] ||
    find "$root" \( -name target -o -name .git -o -name .venv -o -name .rondo \) -prune \
      -o -name pom.xml -newer "$BUILD_STAMP" -print -quit | grep -q .; then
    find "$root" \( -name .git -o -name .venv -o -name .rondo \) -prune \
      -o -type d -path '*/target/lib' -prune -exec rm -r {} +
  fi
}

# make_venv runtime|dev: creates a virtual environment with exactly the packages of the lock file.
make_venv() {
  if is_venv_current "$1"; then
    return 0
  fi
  find_python
  mkdir -p "$root/target"
  with_progress "installing the query API's Python packages" "$VENV_LOG" 's/^Collecting \([^=]*\).*/\1/p' \
    fill_venv "$(lock_file "$1")"
  locked "$1" >"$VENV/.rondo-$1"
}

is_venv_current() {
  [ -n "${RONDO_NO_BUILD:-}" ] ||
    { [ "$(cat "$VENV/.rondo-$1" 2>/dev/null)" = "$(locked "$1")" ] && "$VENV/bin/python" -c '' 2>/dev/null; }
}

locked() { cat "$(lock_file "$1")" "$root/query-api/pyproject.toml" | cksum; }

lock_file() {
  case $1 in
    runtime) echo "$root/query-api/requirements.lock" ;;
    dev) echo "$root/query-api/requirements-dev.lock" ;;
  esac
}

fill_venv() {
  if ! "$VENV/bin/python" -m pip --version; then
    rm -rf "$VENV"
    if ! "$PYTHON" -m venv "$VENV"; then
      echo "$PYTHON cannot create virtual environments; on Debian: sudo apt install python3-venv"
      return 1
    fi
  fi
  "$VENV/bin/python" -m pip install --disable-pip-version-check --progress-bar off \
    --no-compile --require-hashes -r "$1" && # modules are compiled on import, and most are never imported
    install_query_api
}

# Builds with the packages of a lock file: pip itself would fetch any version of the build backend's packages.
install_query_api() {
  local backend status=0
  backend=$(mktemp -d)
  "$VENV/bin/python" -m pip install --disable-pip-version-check --progress-bar off \
    --no-compile --require-hashes -r "$root/query-api/requirements-build.lock" --target "$backend" &&
    PYTHONPATH=$backend "$VENV/bin/python" -m pip install --disable-pip-version-check --progress-bar off \
      --no-deps --no-build-isolation --editable "$root/query-api" || status=$?
  rm -rf "$backend"
  return "$status"
}

# with_progress WHAT LOG SED COMMAND...: runs COMMAND with its output in LOG; SED converts lines of LOG to the progress.
with_progress() {
  local what=$1 log=$2 latest=$3 pid start=$SECONDS
  shift 3
  [ -t 2 ] || echo "$what (log: $log) ..." >&2
  "$@" >"$log" 2>&1 </dev/null &
  pid=$!
  # shellcheck disable=SC2064
  trap "kill $pid 2>/dev/null; exit 130" INT TERM
  while kill -0 "$pid" 2>/dev/null; do
    if [ -t 2 ]; then
      printf '\r\033[K%s: %d s  %s' "$what" $((SECONDS - start)) "$(sed -n "$latest" "$log" | tail -n 1)" >&2
    fi
    sleep 0.3
  done
  [ -t 2 ] && printf '\r\033[K' >&2
  trap - INT TERM
  if ! wait "$pid"; then
    grep -E 'ERROR|error:|cannot create' "$log" | head -n 15 >&2 || tail -n 15 "$log" >&2
    fail "$what failed after $((SECONDS - start)) s; log: $log"
  fi
  echo "$what: $((SECONDS - start)) s" >&2
}
