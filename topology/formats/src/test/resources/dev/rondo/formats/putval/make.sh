#!/bin/sh
# Writes putval.txt and graphite.txt to this folder: the same values from a real collectd (package
# collectd-core) as PUTVAL lines (write_http, Format Command) and as Graphite plaintext (write_graphite).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
receiver=
collectd=
trap 'kill $receiver $collectd 2>/dev/null; rm -rf "$work"' EXIT
cat >"$work/receive.py" <<'PY'
import http.server, socketserver, sys, threading

class Putval(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        with open(sys.argv[1] + "/putval.txt", "ab") as file:
            file.write(self.rfile.read(int(self.headers["content-length"])))
        self.send_response(200)
        self.end_headers()

class Graphite(socketserver.StreamRequestHandler):
    def handle(self):
        with open(sys.argv[1] + "/graphite.txt", "ab") as file:
            for line in self.rfile:
                file.write(line)
                file.flush()

carbon = socketserver.ThreadingTCPServer(("127.0.0.1", 18424), Graphite)
threading.Thread(target=carbon.serve_forever, daemon=True).start()
http.server.ThreadingHTTPServer(("127.0.0.1", 18423), Putval).serve_forever()
PY
cat >"$work/collectd.conf" <<CONF
Hostname "web01.example.org"
FQDNLookup false
BaseDir "$work"
PIDFile "$work/pid"
TypesDB "/usr/share/collectd/types.db"
Interval 60
LoadPlugin cpu
LoadPlugin df
LoadPlugin interface
LoadPlugin load
LoadPlugin memory
LoadPlugin unixsock
LoadPlugin write_graphite
LoadPlugin write_http
<Plugin df>
  MountPoint "/"
</Plugin>
<Plugin interface>
  Interface "lo"
</Plugin>
<Plugin unixsock>
  SocketFile "$work/socket"
</Plugin>
<Plugin write_http>
  <Node "putval">
    URL "http://127.0.0.1:18423/"
    Format "Command"
  </Node>
</Plugin>
<Plugin write_graphite>
  <Node "graphite">
    Host "127.0.0.1"
    Port "18424"
    StoreRates false
  </Node>
</Plugin>
CONF
python3 "$work/receive.py" "$work" 2>/dev/null &
receiver=$!
sleep 1
collectd -f -C "$work/collectd.conf" &
collectd=$!
sleep 3
python3 - "$work/socket" <<'PY'
import socket, sys

client = socket.socket(socket.AF_UNIX)
client.connect(sys.argv[1])
text = client.makefile("rw")
for line in [
    r'PUTVAL "sw 1.example.org/snmp-eth0 up/gauge-a \"b\" c" interval=10 1455320690.123:1.5',
    r'PUTVAL "web/a!b,c(d):e\\f/gauge-g/h.i" interval=10 1455320690:2',
    "PUTVAL web/ping/ping-8.8.8.8 interval=10 1455320690:U",
    "PUTVAL web/smart-sda/smart_attribute-x interval=10 1455320690:1:2:3:4",
    "PUTVAL web/mysql-db/mysql_octets interval=10 1455320690:1:2 1455320700:2:4",
    "PUTVAL web/big/derive-n interval=10 1455320690:9223372036854775807",
    "PUTVAL web/big/counter-n interval=10 1455320690:18446744073709551615",
    "PUTVAL web/big/gauge-n interval=10 1455320690:-1e-07",
]:
    text.write(line + "\n")
    text.flush()
    print(text.readline().strip())
PY
sleep 2
kill -TERM "$collectd"
wait "$collectd" || true
for name in putval graphite; do cp "$work/$name.txt" "$here/$name.txt"; done
