# shellcheck shell=bash
# Finds Java, Python and unzip, or names in one line what to install.

MIN_JAVA=17
MIN_PYTHON=3.11

# fail MESSAGE [EXIT_CODE]
fail() {
  echo "rondo: $1" >&2
  exit "${2:-1}"
}

# Java reads arguments and prints in the encoding of the locale, ASCII by default, but names of series can have other
# characters.
use_utf8() {
  case $(locale charmap 2>/dev/null) in ANSI_X3.4-1968) export LC_ALL=C.UTF-8 ;; esac
}

# Sets JAVA_HOME to a JDK, from JAVA_HOME or the PATH.
find_java() {
  local java home version found=""
  for java in "${JAVA_HOME:+$JAVA_HOME/bin/java}" "$(command -v java || true)"; do
    if [ ! -x "$java" ]; then continue; fi
    IFS=$'\t' read -r home version < <(describe_java "$java")
    if [ "${version%%.*}" -lt "$MIN_JAVA" ] 2>/dev/null; then
      found+="; $java is Java $version"
    elif [ ! -x "$home/bin/javac" ]; then
      found+="; $java has no compiler (a JRE, not a JDK)"
    else
      export JAVA_HOME=$home
      return
    fi
  done
  fail "Rondo needs a JDK $MIN_JAVA or newer in JAVA_HOME or on the PATH${found}. On Debian: sudo apt install openjdk-17-jdk-headless"
}

# Prints the home and the version of a java, tab-separated: from its file `release`, because a start of a JVM takes half
# a second of CPU time, or from the program itself if it is a shim.
describe_java() {
  local home version=""
  home=$(readlink -f "$1" 2>/dev/null || true)
  home=${home%/bin/java}
  [ ! -r "$home/release" ] || version=$(sed -n 's/^JAVA_VERSION="\(.*\)".*/\1/p' "$home/release")
  if [ -n "$version" ]; then
    printf '%s\t%s\n' "$home" "$version"
  else
    "$1" -XshowSettings:properties -version 2>&1 |
      awk -F ' = ' '/^ *java.home = / { home = $2 } /^ *java.version = / { print home "\t" $2 }'
  fi
}

# The Maven wrapper unpacks Maven with unzip. Without it, the wrapper fetches another archive, without the pinned checksum.
find_unzip() {
  command -v unzip >/dev/null || compgen -G "${MAVEN_USER_HOME:-$HOME/.m2}/wrapper/dists/*/*/bin/mvn" >/dev/null ||
    fail "Rondo's build needs unzip on the PATH. On Debian: sudo apt install unzip"
}

# Sets PYTHON.
find_python() {
  local candidate found=""
  for candidate in "${RONDO_PYTHON:-}" python3 python3.13 python3.12 python3.11; do
    if [ -z "$candidate" ] || ! command -v "$candidate" >/dev/null; then continue; fi
    if is_python_new_enough "$candidate"; then
      PYTHON=$(command -v "$candidate")
      return
    fi
    found+="; $candidate is $("$candidate" --version 2>&1 | head -n 1)"
  done
  fail "Rondo needs Python $MIN_PYTHON or newer on the PATH or in RONDO_PYTHON${found}. On Debian: sudo apt install python3 python3-venv"
}

is_python_new_enough() {
  "$1" -c "import sys; sys.exit(sys.version_info < (${MIN_PYTHON/./, }))" 2>/dev/null
}
