"""Starts `mailroom sink`, whose server is the one under test, and reads what it counted."""

import json
import os
import pathlib
import signal
import subprocess
import tempfile

STOP_SECONDS_MAX = 60


def make_certificate(directory):
    """A self-signed certificate for localhost and its key."""
    certificate, key = f"{directory}/certificate.pem", f"{directory}/key.pem"
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec",
                    "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
                    "-subj", "/CN=localhost",
                    "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1",
                    "-keyout", key, "-out", certificate], check=True, capture_output=True)
    return certificate, key


class Sink:
    def __init__(self, *arguments):
        self.directory = tempfile.TemporaryDirectory()
        self.mails = pathlib.Path(self.directory.name) / "mails"
        self.process = subprocess.Popen(
            [os.environ["MAILROOM_BINARY"], "sink", "--listen", "127.0.0.1:0",
             "--store", str(self.mails), *arguments], stdout=subprocess.PIPE, text=True)
        self.address = self.process.stdout.readline().strip().split("smtp=")[1]
        self.host, port = self.address.split(":")
        self.port = int(port)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.stop()
        self.process.stdout.close()
        self.directory.cleanup()

    def counts(self):
        self.process.send_signal(signal.SIGUSR1)
        return json.loads(self.process.stdout.readline())

    def stop(self):
        """The counts at the end."""
        self.process.send_signal(signal.SIGTERM)
        last = self.process.stdout.read().strip().split("\n")[-1]
        if self.process.wait(STOP_SECONDS_MAX) != 0:
            raise AssertionError("the sink ended badly")
        return json.loads(last)

    def received(self):
        """The mails as they were stored, oldest first: their names are in order of time."""
        return [path.read_bytes() for path in sorted(self.mails.iterdir())]
