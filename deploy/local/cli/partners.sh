# shellcheck shell=bash
# Programs for tests: RRDtool to compare arithmetic, collectd to write to Kafka, promtool to test the alerts, Chromium
# to open the explorer, PgBouncer, podman to run the images, systemd in a container to follow its page, libfaketime to
# set clocks. Without a program, its tests are skipped with a message.

PARTNERS=(rrdtool collectd promtool chromium-headless-shell pgbouncer podman runc systemd-nspawn faketime)
PARTNER_PACKAGES=(rrdtool collectd-core librdkafka1 libyajl2 prometheus chromium-headless-shell pgbouncer podman runc
  systemd-container faketime)

# Installs missing programs on a build server, as root.
install_partners() {
  if [ "${CI:-}" != true ] || [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null || has_partners; then
    return
  fi
  { apt-get -qq update && apt-get -qq install --yes --no-install-recommends "${PARTNER_PACKAGES[@]}"; } >/dev/null ||
    echo "rondo: apt could not install ${PARTNER_PACKAGES[*]}: the tests with them will be skipped" >&2
}

has_partners() {
  local program
  for program in "${PARTNERS[@]}"; do
    # Debian installs collectd and systemd's programs in root's PATH only.
    PATH="$PATH:/usr/sbin:/sbin" command -v "$program" >/dev/null || return 1
  done
}
