"""Keeps a machine busy with two cores' worth of CPU and synchronous writes."""

import multiprocessing
import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.process import BaseProcess
from pathlib import Path

CORES = 2
WRITE_BYTES = 8 << 20
WRITES_PER_S = 2


@contextmanager
def load(folder: Path) -> Iterator[list[BaseProcess]]:
    """Load the CPU and the disk of a folder during a block."""
    context = multiprocessing.get_context("spawn")
    parent = os.getpid()
    processes: list[BaseProcess] = [
        *(context.Process(target=compute, args=(parent,), daemon=True) for _ in range(CORES)),
        context.Process(target=write, args=(parent, str(folder)), daemon=True),
    ]
    for process in processes:
        process.start()
    try:
        yield processes
    finally:
        for process in processes:
            process.terminate()
        for process in processes:
            process.join()


def compute(parent: int) -> None:
    """Compute until the parent ends or is killed."""
    number = 1
    while os.getppid() == parent:
        for _ in range(200_000):
            number = number * 1_103_515_245 % 2_147_483_647


def write(parent: int, folder: str) -> None:
    """Write a file, sync and delete it repeatedly, until the parent ends."""
    content = os.urandom(WRITE_BYTES)
    while os.getppid() == parent:
        with tempfile.NamedTemporaryFile(dir=folder, prefix="load-") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        time.sleep(1 / WRITES_PER_S)
