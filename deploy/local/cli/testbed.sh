# shellcheck shell=bash
# The broker and PostgreSQL shared by all test classes of a run. Without them, each test JVM starts its own.

# Starts the servers, and passes them to the tests in RONDO_TESTBED. They end with this shell, whose pipe is their input.
begin_testbed() {
  local file="$RUN/testbed.properties"
  exec 9> >(run_testbed "$file" >"$RUN/testbed.log" 2>&1)
  TESTBED=$!
  stage "shared servers" await_testbed "$file" || return
  export RONDO_TESTBED="$file"
}

run_testbed() {
  local target="$root/loadgen/testbed/target" local_target="$root/deploy/local/target"
  exec "$JAVA_HOME/bin/java" -Xmx128m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 \
    -cp "$target/*:$local_target/*:$local_target/lib/*" dev.rondo.testbed.Main "$1"
}

await_testbed() {
  local start=$SECONDS
  until [ -e "$1" ]; do
    if ! kill -0 "$TESTBED" 2>/dev/null || [ $((SECONDS - start)) -ge 300 ]; then
      tail -n 50 "$RUN/testbed.log"
      echo "the shared broker and PostgreSQL did not start within $((SECONDS - start)) s"
      return 1
    fi
    sleep 0.2
  done
}

end_testbed() {
  unset RONDO_TESTBED
  exec 9>&-
  wait "$TESTBED" || true
}
