"""Postfix: takes mails over SMTP, writes each to its queue with fsync, relays it to the sink."""
import os
import pathlib
import subprocess
import sys

from load import deliver
from processes import undone_on_failure, wait_for_port
from sink import free_port, tool

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests" / "wire" / "smtp"))
from postfix_folder import PostfixFolder

# Where Postfix waits or spares its surroundings by default, it does not here: no delay on input, no
# slow start towards the relay. What makes a mail durable is as it comes.
SETTINGS = """
mynetworks = 127.0.0.0/8
relayhost = [127.0.0.1]:{sink_port}
smtpd_tls_security_level = none
in_flow_delay = 0
default_process_limit = 200
initial_destination_concurrency = {concurrency}
default_destination_concurrency_limit = {concurrency}
smtp_connection_cache_destinations = [127.0.0.1]:{sink_port}
"""

LISTENERS = """
{port} inet n - n - - smtpd
"""

CONCURRENCY = 20


class Postfix:
    name = "Postfix"

    def __init__(self, folder, sink):
        if os.geteuid() != 0:
            sys.exit("Postfix starts as root only: run as root, or leave it out with --only")
        self.sink = sink
        self.port = free_port()
        self.postfix = PostfixFolder(
            folder,
            SETTINGS.format(concurrency=CONCURRENCY, sink_port=sink.port),
            LISTENERS.format(port=self.port),
        )

    def __enter__(self):
        self.postfix.start()
        with undone_on_failure(self):
            wait_for_port(self.port)
        return self

    def __exit__(self, *_):
        self.postfix.stop()

    def run(self, plan):
        """smtp-source keeps its connections (-d), as the HTTP clients do."""
        command = [tool("smtp-source"), "-d", "-s", str(plan.connections), "-m", str(plan.mails)]
        command += ["-l", str(plan.text_bytes), "-f", "shop@example.com"]
        command += ["-t", "customer@example.net", f"127.0.0.1:{self.port}"]
        return deliver(lambda: subprocess.Popen(command), self.sink, plan.mails)
