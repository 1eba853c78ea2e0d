"""A Postfix of its own in a folder: its settings, queue and log, apart from the system's one."""

import pathlib
import shutil
import subprocess

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
disable_dns_lookups = yes
smtp_tls_security_level = none
"""

MASTER_CF = """
pickup unix n - n 60 1 pickup
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
tlsmgr unix - - n 1000? 1 tlsmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
verify unix - - n - 1 verify
flush unix n - n 1000? 0 flush
proxymap unix - - n - - proxymap
smtp unix - - n - - smtp
relay unix - - n - - smtp
error unix - - n - - error
retry unix - - n - - error
discard unix - - n - - discard
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
postlog unix-dgram n - n - 1 postlogd
"""


def tool(name):
    """Debian puts Postfix's programs where only root's path has them."""
    found = shutil.which(name) or shutil.which(name, path="/usr/sbin:/usr/bin")
    if not found:
        raise RuntimeError(f"{name} is missing: install the Debian packages postfix and sasl2-bin")
    return found


class PostfixFolder:
    """`settings` are more lines for main.cf, `listeners` those of master.cf that take mail."""

    def __init__(self, folder, settings, listeners):
        self.folder = pathlib.Path(folder)
        (self.folder / "main.cf").write_text(MAIN_CF.format(folder=folder) + settings)
        (self.folder / "master.cf").write_text(listeners + MASTER_CF)
        for name in ("queue", "data"):
            (self.folder / name).mkdir()
        shutil.chown(self.folder / "data", "postfix")

    def start(self):
        done = self._control("start")
        if done.returncode != 0:
            raise RuntimeError(f"Postfix did not start: {done.stderr}")

    def stop(self):
        self._control("stop")

    def _control(self, word):
        command = [tool("postfix"), "-c", str(self.folder), word]
        return subprocess.run(command, capture_output=True, text=True)
