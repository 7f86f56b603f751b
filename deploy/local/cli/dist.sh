# shellcheck shell=bash
# `rondo dist`: the files of a release. Equal sources give equal bytes: entries are sorted, times are those of the pom.

DIST="$root/dist"
DIST_VENV="$root/target/dist-venv"
IMAGES_LOG="$root/target/images.log"

rondo_version() { sed -n 's|.*<revision>\(.*\)</revision>.*|\1|p' "$root/pom.xml"; }

release_epoch() { date -u -d "$(sed -n 's|.*<project.build.outputTimestamp>\(.*\)</.*|\1|p' "$root/pom.xml")" +%s; }

build_dist() {
  local check=false architectures=() options=("$@") version architecture
  while [ $# -gt 0 ]; do
    case $1 in
      --check) check=true ;;
      --images) architectures+=("$(dpkg --print-architecture)") ;;
      --images=amd64 | --images=arm64) architectures+=("${1#*=}") ;;
      *) fail "rondo dist takes --images, --images=amd64, --images=arm64 and --check, not '$1'" 2 ;;
    esac
    shift
  done
  find_java
  if $check; then
    check_dist "${options[@]/--check/}"
    return
  fi
  version=$(rondo_version)
  SOURCE_DATE_EPOCH=$(release_epoch)
  export SOURCE_DATE_EPOCH
  build_checked "$version"
  make_dist_venv
  rm -rf "$DIST"
  mkdir -p "$DIST"

  cp "$root/connectors/postgres-sink/target/rondo-postgres-sink-$version.zip" "$DIST"
  cp "$root/connectors/postgres-sink/target/bom.json" "$DIST/rondo-postgres-sink-$version.cdx.json"
  cp "$root/deploy/dist/target/bom.json" "$DIST/rondo-$version.cdx.json"
  build_wheel "$version"
  pack "$(stage_release "$version")" "$DIST/rondo-$version.tar.gz"
  add_client "$version"
  pack "$root/deploy/helm/rondo" "$DIST/rondo-chart-$version.tgz"
  for architecture in "${architectures[@]}"; do
    with_progress "building the images for $architecture" "$IMAGES_LOG" '' build_images "$version" "$architecture"
  done
  (cd "$DIST" && sha256sum -- * >"$root/target/SHA256SUMS" && mv "$root/target/SHA256SUMS" .)
  (cd "$DIST" && ls -s --human-readable --format=single-column)
}

# Builds with all checks, which also lists the libraries.
build_checked() {
  local jar="$root/deploy/dist/target/rondo-dist-$1.jar"
  if [ -n "${RONDO_NO_BUILD:-}" ] || { is_built && [ "$root/deploy/dist/target/bom.json" -nt "$jar" ]; }; then
    return 0
  fi
  rm -f "$BUILD_STAMP"
  BUILD_OPTIONS=(-Dmaven.test.skip=true)
  build
}

# The packages that build the wheel and list its dependencies.
make_dist_venv() {
  local lock="$root/deploy/dist/build.lock"
  if cmp --silent "$lock" "$DIST_VENV/.lock"; then
    return 0
  fi
  find_python
  rm -rf "$DIST_VENV"
  with_progress "installing the packages that build a release" "$VENV_LOG" 's/^Collecting \([^=]*\).*/\1/p' \
    fill_dist_venv "$lock"
  cp "$lock" "$DIST_VENV/.lock"
}

fill_dist_venv() {
  "$PYTHON" -m venv "$DIST_VENV" &&
    "$DIST_VENV/bin/python" -m pip install --disable-pip-version-check --progress-bar off --require-hashes -r "$1"
}

# build_wheel VERSION: builds the query API's wheel, and lists its dependencies.
build_wheel() {
  local project="$root/target/dist/pyproject.toml" name="rondo_query_api-$1"
  mkdir -p "$root/target/dist"
  pack_wheel query-api
  sed "s/^dynamic = .*/version = \"$1\"/" "$root/query-api/pyproject.toml" >"$project"
  "$DIST_VENV/bin/cyclonedx-py" requirements "$root/query-api/requirements.lock" --pyproject "$project" \
    --output-reproducible --of JSON -o "$DIST/$name.cdx.json" >>"$VENV_LOG" 2>&1 ||
    fail "listing the query API's dependencies failed; log: $VENV_LOG"
}

# pack_wheel FOLDER
pack_wheel() {
  (cd "$root/$1" && "$DIST_VENV/bin/python" -m hatchling build --target wheel --directory "$DIST") >"$VENV_LOG" 2>&1 ||
    fail "building the wheel of $1 failed; log: $VENV_LOG"
}

# add_client VERSION: adds the clients for applications, which are not part of the archive.
add_client() {
  cp "$root/connectors/clients/java/target/rondo-client-$1.jar" "$DIST"
  cp "$root/connectors/clients/java/target/bom.json" "$DIST/rondo-client-$1.cdx.json"
  pack_wheel connectors/clients/python
}

# stage_release VERSION: prints the folder with the content of the archive.
stage_release() {
  local release="$root/target/dist/rondo-$1" from="$root/deploy/dist"
  rm -rf "$release"
  mkdir -p "$release"/{bin,lib,api,sql,monitoring,doc}
  cp "$from/bin/rondo" "$release/bin"
  cp "$from"/target/lib/*.jar "$from/target/rondo-dist-$1.jar" "$from"/*.options "$release/lib"
  cp "$root"/query-api/{requirements.lock,gunicorn.conf.py} "$DIST"/*.whl "$release/api"
  cp "$root"/schemas/sql/*.sql "$release/sql"
  cp -r "$from/examples" "$root/deploy/dashboards" "$release"
  cp "$root"/deploy/prometheus/*.yml "$release/monitoring"
  cp "$root/connectors/postgres-sink/prometheus/jmx-exporter.yml" "$release/monitoring"
  cp "$root/LICENSE" "$root/NOTICE" "$release"
  (cd "$root" && cp -r --parents -- *.md docs {schemas,topology,topology/*,query-api}/README.md \
    connectors/{postgres-sink,host-collector,clients/*}/README.md "$release/doc")
  cp -r "$root"/deploy/{systemd,compose} "$release"
  "$JAVA_HOME/bin/java" -Drondo.program=rondo -cp "$release/lib/*" dev.rondo.dist.Manual "$release/share"
  echo "$release"
}

# pack FOLDER FILE: writes a tar archive of the folder.
pack() {
  tar --sort=name --format=gnu --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" \
    --mode='u=rwX,go=rX' -C "$(dirname "$1")" -cf - "$(basename "$1")" | gzip -9 -n >"$2"
}

# check_dist OPTION...: builds the commit in two clones with different folder names, and compares the results.
check_dist() {
  local options where one other
  [ -z "$(git -C "$root" status --porcelain --untracked-files=no)" ] ||
    echo "rondo: uncommitted changes are not checked" >&2
  read -ra options <<<"$*" # without empty ones
  where=$(mktemp -d)
  # shellcheck disable=SC2064
  trap "rm -rf '$where'" EXIT
  one=$where/one other=$where/other-folder
  for clone in "$one" "$other"; do
    git clone --quiet --local "$root" "$clone"
    "$clone/rondo" dist "${options[@]}" >/dev/null
  done
  diff -r "$one/dist" "$other/dist" || fail "two builds of one commit differ; both are described above"
  echo "two builds of $(git -C "$root" rev-parse --short HEAD) are equal:"
  cat "$one/dist/SHA256SUMS"
}
