# shellcheck shell=bash
# `rondo dist --images`: folders of layers, from which deploy/images builds OCI images without a Docker daemon. The base
# consists of Debian packages: the C library and the libraries of Java and Python; no shell, no package manager.

JAVA_BASE=(libc6 libgcc-s1 libstdc++6 zlib1g ca-certificates)
API_BASE=("${JAVA_BASE[@]}" python3.11-minimal libpython3.11-minimal libpython3.11-stdlib libssl3 libexpat1 libffi8
  libbz2-1.0 liblzma5 libuuid1 tzdata
  libcairo2 libpixman-1-0 libfontconfig1 libfreetype6 libpng16-16 libbrotli1 libxcb-render0 libxcb-shm0 libxcb1 libx11-6
  libxext6 libxrender1 libxau6 libxdmcp6 libbsd0 libmd0 fontconfig-config fonts-dejavu-core)

# Modules of the parts, of their libraries, and of jcmd.
JAVA_MODULES=java.desktop,java.instrument,java.logging,java.management,java.management.rmi,java.naming,java.net.http
JAVA_MODULES+=,java.security.jgss,java.security.sasl,java.sql,java.xml,jdk.crypto.ec,jdk.httpserver,jdk.jcmd,jdk.jfr
JAVA_MODULES+=,jdk.management,jdk.management.agent,jdk.naming.dns,jdk.security.auth,jdk.security.jgss,jdk.unsupported
JAVA_MODULES+=,jdk.zipfs

# build_images VERSION ARCHITECTURE: builds images from the files in dist and the modules.
build_images() {
  ARCHITECTURE=$2
  LAYERS="$root/target/images/$ARCHITECTURE"
  DEBS="$root/target/debs/$ARCHITECTURE"
  rm -rf "$LAYERS"
  mkdir -p "$LAYERS"
  fetch_packages
  fill_base java-base "${JAVA_BASE[@]}"
  fill_base api-base "${API_BASE[@]}"
  compile_python "$LAYERS/api-base" usr/lib/python3.11
  fill_java
  fill_release "$1"
  fill_connect "$1"
  fill_api
  "$JAVA_HOME/bin/java" -XX:+UseSerialGC -cp "$root/deploy/images/target/*:$root/deploy/images/target/lib/*" \
    dev.rondo.images.Images "$1" "$ARCHITECTURE" "$SOURCE_DATE_EPOCH" "$LAYERS" "$root/target/images/cache" "$DIST"
  list_components "$1"
}

# list_components VERSION: writes a CycloneDX file for each image.
list_components() {
  local java release="$DIST/rondo-$1.cdx.json" sink="$DIST/rondo-postgres-sink-$1.cdx.json"
  java=$(sed -n 's/^JAVA_VERSION="\(.*\)"/\1/p' "$LAYERS/java/opt/java/release")
  list_image "$1" topology java-base "$java" "$release"
  list_image "$1" tools java-base "$java" "$release"
  list_image "$1" connect java-base "$java" "$root/deploy/connect/target/bom.json" "$sink"
  list_image "$1" api api-base "" "$DIST/rondo_query_api-$1.cdx.json"
}

# list_image VERSION PART BASE JAVA FILE...
list_image() {
  "$DIST_VENV/bin/python" "$root/deploy/local/cli/image_sbom.py" "rondo-$2" "$1" "$LAYERS/$3.packages" "$4" \
    "$DIST/rondo-$2-$1-$ARCHITECTURE.cdx.json" "${@:5}"
}

# Runs apt for the architecture of the images, with separate folders: nothing on this machine changes.
private_apt() {
  "$1" --quiet --quiet -o APT::Architecture="$ARCHITECTURE" -o APT::Architectures="$ARCHITECTURE" \
    -o Dir::State="$DEBS/state" -o Dir::State::status="$DEBS/status" -o Dir::Cache="$DEBS/cache" \
    -o Acquire::Languages=none -o APT::Sandbox::User="$(id -un)" "${@:2}"
}

fetch_packages() {
  mkdir -p "$DEBS"/{state/lists/partial,cache/archives/partial}
  : >"$DEBS/status"
  private_apt apt-get update
  rm -f "$DEBS"/*.deb
  (cd "$DEBS" && private_apt apt-get download "${API_BASE[@]}")
}

# fill_base LAYER PACKAGE...: extracts the packages, without links, documentation and conversions of old encodings.
fill_base() {
  local folder="$LAYERS/$1" package
  mkdir -p "$folder"/{etc,tmp}
  for package in "${@:2}"; do
    dpkg-deb --extract "$DEBS/${package}"_*.deb "$folder"
    # shellcheck disable=SC2016 # dpkg-deb's own variables
    dpkg-deb --showformat='${Package} ${Version} ${Architecture}\n' --show "$DEBS/${package}"_*.deb
  done >"$LAYERS/$1.packages"
  find "$folder/usr/share" -mindepth 1 -maxdepth 1 \
    ! -name doc ! -name ca-certificates ! -name zoneinfo ! -name fonts -exec rm -rf {} +
  find "$folder/usr/share/doc" -type f ! -name copyright -delete
  rm -rf "$folder"/usr/{sbin,share/zoneinfo/right,share/zoneinfo/posix} "$folder"/{usr/,}lib/*/{gconv,audit}
  flatten_links "$folder"
  mkdir -p "$folder/etc/ssl/certs"
  find "$folder/usr/share/ca-certificates" -name '*.crt' | LC_ALL=C sort | xargs cat >"$folder/etc/ssl/certs/ca-certificates.crt"
  rm -rf "$folder"/usr/share/ca-certificates "$folder"/usr/lib/python3.11/{lib2to3,pydoc_data,ensurepip}
  echo 'rondo:x:10001:10001:Rondo:/tmp:/nonexistent' >"$folder/etc/passwd"
  echo 'rondo:x:10001:' >"$folder/etc/group"
  echo 'hosts: files dns' >"$folder/etc/nsswitch.conf"
}

# Replaces links to files by the files, as a layer has no links; removes other links. A library remains under the names
# that programs load.
flatten_links() {
  local link target versioned=()
  while read -r link; do
    target=$(readlink "$link")
    case $target in
      /*) target=$1$target ;;
      *) target=$(dirname "$link")/$target ;;
    esac
    rm "$link"
    if [ -f "$target" ]; then cp "$target" "$link"; fi
    case $target in "$link".*) versioned+=("$target") ;; esac
  done < <(find "$1" -type l)
  rm -f "${versioned[@]}"
}

# compile_python FOLDER SUBFOLDER: compiles to bytecode, independent of times, as the folder is later read-only.
compile_python() {
  PYTHONHASHSEED=0 "$DIST_VENV/bin/python" -m compileall -q --invalidation-mode unchecked-hash \
    -s "$1" -p / "$1/$2"
}

# Builds a runtime with the modules of the parts; for another architecture, from Debian's JDK.
fill_java() {
  local modules=()
  if [ "$ARCHITECTURE" != "$(dpkg --print-architecture)" ]; then
    local feature
    feature=$(describe_java "$JAVA_HOME/bin/java" | sed 's/.*\t\([0-9]*\).*/\1/')
    (cd "$DEBS" && private_apt apt-get download "openjdk-$feature-jdk-headless")
    dpkg-deb --extract "$DEBS/openjdk-$feature-jdk-headless"_*.deb "$DEBS/jdk"
    modules=(--module-path "$(echo "$DEBS"/jdk/usr/lib/jvm/*/jmods)")
  fi
  mkdir -p "$LAYERS/java/opt"
  "$JAVA_HOME/bin/jlink" "${modules[@]}" --add-modules "$JAVA_MODULES" --output "$LAYERS/java/opt/java" \
    --strip-java-debug-attributes --no-header-files --no-man-pages --compress=2
  flatten_links "$LAYERS/java"
}

# fill_release VERSION: copies the jars of the archive, ours into a layer above the libraries.
fill_release() {
  local release="$root/target/dist/rondo-$1"
  mkdir -p "$LAYERS"/{lib,rondo}/opt/rondo/lib
  cp "$release"/lib/*.jar "$LAYERS/lib/opt/rondo/lib"
  mv "$LAYERS"/lib/opt/rondo/lib/rondo-*.jar "$LAYERS/rondo/opt/rondo/lib"
  cp "$release"/lib/*.options "$LAYERS/rondo/opt/rondo/lib"
  cp -r "$release"/{LICENSE,NOTICE,sql} "$LAYERS/rondo/opt/rondo"
}

fill_connect() {
  local libs="$LAYERS/connect-lib/opt/rondo/connect/lib" own="$LAYERS/connect/opt/rondo/connect"
  mkdir -p "$libs" "$own"/{lib,plugins}
  cp "$root"/deploy/connect/target/lib/*.jar "$libs"
  mv "$libs"/rondo-*.jar "$own/lib"
  cp "$root"/deploy/connect/{connect.options,log4j2.properties} "$own"
  cp "$root/connectors/postgres-sink/target/jmx-exporter/jmx_prometheus_javaagent.jar" \
    "$root/connectors/postgres-sink/prometheus/jmx-exporter.yml" "$own"
  cp -r "$root/connectors/postgres-sink/target/plugin" "$own/plugins/rondo-postgres-sink"
}

fill_api() {
  local machine=x86_64 packages="$LAYERS/api-packages" own="$LAYERS/api"
  [ "$ARCHITECTURE" = amd64 ] || machine=aarch64
  install_packages "$packages" "$machine" --require-hashes -r "$root/query-api/requirements.lock"
  find "$packages" -path '*/numpy/*' -name tests -type d -prune -exec rm -rf {} +
  install_packages "$own" "$machine" --no-deps "$DIST"/rondo_query_api-*.whl
  mv "$packages/opt/rondo/api/app" "$packages/opt/rondo/api/packages"
  compile_python "$packages" opt/rondo/api/packages
  compile_python "$own" opt/rondo/api/app
  cp "$root/query-api/gunicorn.conf.py" "$own/opt/rondo/api"
}

# install_packages LAYER MACHINE ARGUMENT...: installs wheels for the images' Python, whichever Python runs pip. Removes
# pip's own records, which depend on build paths: the wheel's in direct_url.json, and the interpreter's in the scripts
# whose checksums are in RECORD.
install_packages() {
  "$DIST_VENV/bin/python" -m pip install --quiet --disable-pip-version-check --no-compile --only-binary=:all: \
    --platform "manylinux_2_28_$2" --platform "manylinux_2_17_$2" --platform "manylinux2014_$2" \
    --python-version 3.11 --implementation cp --target "$1/opt/rondo/api/app" "${@:3}"
  rm -rf "$1"/opt/rondo/api/app/{bin,*.dist-info/{RECORD,direct_url.json}}
}
