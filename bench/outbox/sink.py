"""Postfix's smtp-sink, which takes every mail, throws it away and counts."""
import fcntl
import os
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "smtp"))
from postfix import free_port, tool
from processes import stop, undone_on_failure, wait_for_port

PIPE_BYTES = 1 << 20  # 40,000 mails may arrive between two looks before the sink has to wait.
BACKLOG = "1000"


class Sink:
    """With -c smtp-sink writes a short line for each mail: one cheap write, the same for all sides.

    `count` has to be called now and then, or the pipe fills up and the sink waits.
    """

    def __enter__(self):
        self.port = free_port()
        self.seen = 0
        self.rest = b""
        user = ["-u", "nobody"] if os.geteuid() == 0 else []
        command = [tool("smtp-sink"), *user, "-c", f"127.0.0.1:{self.port}", BACKLOG]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.pipe = self.process.stdout.fileno()
        fcntl.fcntl(self.pipe, fcntl.F_SETPIPE_SZ, PIPE_BYTES)
        os.set_blocking(self.pipe, False)
        with undone_on_failure(self):
            wait_for_port(self.port)
        return self

    def __exit__(self, *_):
        stop(self.process)

    def count(self):
        """How many mails have arrived since the start."""
        try:
            while piece := os.read(self.pipe, PIPE_BYTES):
                self.rest += piece
        except BlockingIOError:
            pass
        whole, _, self.rest = self.rest.rpartition(b"\r")
        counts = re.findall(rb"mesg=(\d+)", whole[-200:])
        if counts:
            self.seen = int(counts[-1])
        return self.seen
