"""Starting and stopping the programs that are compared."""
import contextlib
import os
import select
import socket
import subprocess
import sys
import time

START_SECONDS_MAX = 60
STOP_SECONDS_MAX = 30


def wait_for_port(port):
    end = time.monotonic() + START_SECONDS_MAX
    while time.monotonic() < end:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            time.sleep(0.01)
    sys.exit(f"nothing answers on port {port}")


def first_line(process):
    """The first line that `process` writes to its standard output."""
    line = b""
    end = time.monotonic() + START_SECONDS_MAX
    while not line.endswith(b"\n"):
        left = max(0, end - time.monotonic())
        readable, _, _ = select.select([process.stdout], [], [], left)
        piece = os.read(process.stdout.fileno(), 4096) if readable else b""
        if not piece:
            sys.exit(f"{process.args[0]} did not start: {line.decode(errors='replace')}")
        line += piece
    return line.decode()


@contextlib.contextmanager
def undone_on_failure(side):
    """What a side started before its own start failed is stopped again."""
    try:
        yield
    except BaseException:
        side.__exit__(*sys.exc_info())
        raise


def cpu_seconds_of(pid):
    """Of the process, and of those that it started and that have ended."""
    with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as file:
        figures = file.read().rsplit(")", 1)[1].split()
    return sum(map(int, figures[11:15])) / os.sysconf("SC_CLK_TCK")


def stop(process):
    process.terminate()
    try:
        process.wait(STOP_SECONDS_MAX)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    if process.stdout:
        process.stdout.close()
