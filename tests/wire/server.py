"""Starts a Mailroom server of its own for a test, and stops it again.

The binary is named by the environment variable MAILROOM_BINARY. Requests go to 127.0.0.1 only.
"""

import os
import select
import shutil
import signal
import subprocess
import tempfile
import time

READY_SECONDS_MAX = 60
STOP_SECONDS_MAX = 60

REGION = "us-east-1"
ACCESS_KEY = "local"
SECRET_KEY = "local"


class Server:
    """One server process on a data directory; both can be brought back after `kill`.

    With no directory given it makes one and removes it at `stop`.
    """

    def __init__(self, data=None, arguments=(), settings=None):
        self.binary = os.environ["MAILROOM_BINARY"]
        self.owns_data = data is None
        self.data = data or tempfile.mkdtemp(prefix="mailroom-wire-")
        self.arguments = list(arguments)
        self.settings = dict(settings or {})  # MAILROOM_… variables.
        self.log_path = os.path.join(os.path.dirname(self.data),
                                     os.path.basename(self.data) + ".stderr")
        self.process = None
        self.http = None
        self.dynamodb = None

    @property
    def endpoint(self):
        """The URL that DynamoDB clients take."""
        return f"http://{self.dynamodb[0]}:{self.dynamodb[1]}"

    def start(self):
        """Starts the process and waits for its ready line. Raises RuntimeError when none comes."""
        self.spawn()
        return self.wait_until_ready()

    def spawn(self):
        """Starts the process and returns at once."""
        # The server takes every MAILROOM_ variable for a setting: it gets none of the tests' own.
        environment = {name: value for name, value in os.environ.items()
                       if not name.startswith("MAILROOM_")}
        environment["MAILROOM_DYNAMODB_AUTH"] = "none"
        environment["MAILROOM_SERVER_SMTP"] = "off"  # Unless the arguments say where.
        environment.update(self.settings)
        command = [self.binary, "serve", "--data", self.data,
                   "--http", "127.0.0.1:0", "--dynamodb", "127.0.0.1:0", *self.arguments]
        with open(self.log_path, "ab") as log:
            self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log,
                                            env=environment)

    def wait_until_ready(self):
        words = self._ready_line().split()
        if words[:2] != ["mailroom", "ready"]:
            self.kill()
            log = self.log()
            self.stop()
            raise RuntimeError(f"no ready line but {words}:\n{log}")
        addresses = dict(word.split("=", 1) for word in words[2:])
        self.http = _split_address(addresses["http"])
        self.dynamodb = _split_address(addresses["dynamodb"])
        return self

    def _ready_line(self):
        deadline = time.monotonic() + READY_SECONDS_MAX
        line = b""
        while not line.endswith(b"\n"):
            readable, _, _ = select.select([self.process.stdout], [], [],
                                           max(0, deadline - time.monotonic()))
            piece = os.read(self.process.stdout.fileno(), 4096) if readable else b""
            if not piece:
                break
            line += piece
        return line.decode(errors="replace")

    def alive(self):
        return self.process is not None and self.process.poll() is None

    def log(self):
        """What the server wrote to standard error so far."""
        with open(self.log_path, "r", errors="replace") as log:
            return log.read()

    def terminate(self):
        """Asks the server to finish and returns its exit code; kills it when it does not."""
        self.process.send_signal(signal.SIGTERM)
        try:
            code = self.process.wait(STOP_SECONDS_MAX)
        except subprocess.TimeoutExpired:
            self.kill()
            raise
        self.process.stdout.close()
        return code

    def kill(self):
        """The process dies at once, in the middle of whatever it does."""
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()

    def stop(self):
        """Ends the process if it runs and removes what this object made."""
        code = self.terminate() if self.alive() else None
        if self.owns_data:
            shutil.rmtree(self.data, ignore_errors=True)
            os.unlink(self.log_path)
        return code

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        self.stop()


def _split_address(text):
    host, _, port = text.rpartition(":")
    return host, int(port)
