"""Publishes until it reads a line from standard input; run by ClientIT: ``BOOTSTRAP TOPIC``."""

import sys

from rondo_client import Client

with Client(
    {
        "bootstrap.servers": sys.argv[1],
        "rondo.client.topic": sys.argv[2],
        "rondo.client.prefix": "python",
        "rondo.client.tags": "host=web01",
        "rondo.client.step.ms": 1000,
    }
) as rondo:
    orders = rondo.counter("orders", dc="ams")
    pay = rondo.timer("pay")
    rondo.gauge("queue").set(7)
    rondo.gauge("threads", lambda: 3)
    for _ in range(30):
        orders.add(2)
        pay.record(0.25)
    print("begun", flush=True)
    sys.stdin.readline()
    orders.add(3)
print(rondo.published, rondo.dropped)
