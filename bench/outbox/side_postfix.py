"""Postfix: takes mails over SMTP, writes each to its queue with fsync, relays it to the sink."""
import os
import pathlib
import shutil
import subprocess
import sys

from load import deliver
from processes import undone_on_failure, wait_for_port
from sink import free_port, tool

# Where Postfix waits or spares its surroundings by default, it does not here: no delay on input, no
# slow start towards the relay. What makes a mail durable is as it comes.
MAIN_CF = """
compatibility_level = 3.6
queue_directory = {folder}/queue
data_directory = {folder}/data
command_directory = /usr/sbin
daemon_directory = /usr/lib/postfix/sbin
meta_directory = /etc/postfix
shlib_directory = /usr/lib/postfix
mail_owner = postfix
setgid_group = postdrop
maillog_file = {folder}/log
maillog_file_prefixes = {folder}
myhostname = relay.example
mydestination =
alias_maps =
alias_database =
local_recipient_maps =
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
mynetworks = 127.0.0.0/8
disable_dns_lookups = yes
relayhost = [127.0.0.1]:{sink_port}
smtp_tls_security_level = none
smtpd_tls_security_level = none
in_flow_delay = 0
default_process_limit = 200
initial_destination_concurrency = {concurrency}
default_destination_concurrency_limit = {concurrency}
smtp_connection_cache_destinations = [127.0.0.1]:{sink_port}
"""

MASTER_CF = """
{port} inet n - n - - smtpd
pickup unix n - n 60 1 pickup
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
tlsmgr unix - - n 1000? 1 tlsmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
flush unix n - n 1000? 0 flush
proxymap unix - - n - - proxymap
smtp unix - - n - - smtp
relay unix - - n - - smtp
error unix - - n - - error
retry unix - - n - - error
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
postlog unix-dgram n - n - 1 postlogd
"""

CONCURRENCY = 20


class Postfix:
    name = "Postfix"

    def __init__(self, folder, sink):
        if os.geteuid() != 0:
            sys.exit("Postfix starts as root only: run as root, or leave it out with --only")
        self.folder = pathlib.Path(folder)
        self.sink = sink
        self.port = free_port()
        names = {"folder": folder, "port": self.port, "sink_port": sink.port}
        (self.folder / "main.cf").write_text(MAIN_CF.format(concurrency=CONCURRENCY, **names))
        (self.folder / "master.cf").write_text(MASTER_CF.format(**names))
        (self.folder / "queue").mkdir()
        (self.folder / "data").mkdir()
        shutil.chown(self.folder / "data", "postfix")

    def _control(self, word):
        command = [tool("postfix"), "-c", str(self.folder), word]
        return subprocess.run(command, capture_output=True, text=True)

    def __enter__(self):
        done = self._control("start")
        if done.returncode != 0:
            sys.exit(f"Postfix did not start: {done.stderr}")
        with undone_on_failure(self):
            wait_for_port(self.port)
        return self

    def __exit__(self, *_):
        self._control("stop")

    def run(self, plan):
        """smtp-source keeps its connections (-d), as the HTTP clients do."""
        command = [tool("smtp-source"), "-d", "-s", str(plan.connections), "-m", str(plan.mails)]
        command += ["-l", str(plan.text_bytes), "-f", "shop@example.com"]
        command += ["-t", "customer@example.net", f"127.0.0.1:{self.port}"]
        return deliver(lambda: subprocess.Popen(command), self.sink, plan.mails)
