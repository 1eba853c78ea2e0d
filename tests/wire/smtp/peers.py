"""Servers from Debian's postfix package, each in a directory and on a port of its own."""

import json
import os
import pathlib
import pwd
import shutil
import socket
import subprocess
import tempfile
import time


def tool(name):
    """Debian puts Postfix's programs where only root's path has them."""
    found = shutil.which(name) or shutil.which(name, path="/usr/sbin:/usr/bin")
    if not found:
        raise RuntimeError(f"{name} is missing: install the Debian packages postfix and sasl2-bin")
    return found


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_for(port, seconds=30):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            with socket.create_connection(("127.0.0.1", port), 1):
                return
        except OSError:
            pass
        time.sleep(0.05)
    raise RuntimeError(f"nothing answers on port {port}")


def send(**job):
    """What smtp_send prints: a result for each mail, and its counts."""
    run = subprocess.run(
        [os.environ["SMTP_SEND"]],
        input=json.dumps(job),
        capture_output=True,
        text=True,
        timeout=120,
    )
    if run.returncode != 0:
        raise RuntimeError(run.stderr)
    *results, counts = [json.loads(line) for line in run.stdout.splitlines()]
    return results, counts


class Sink:
    """smtp-sink, which throws away or keeps what it gets."""

    def __init__(self, *options):
        self.folder = tempfile.mkdtemp(prefix="mailroom-sink-")
        self.port = free_port()
        user = ["-u", "root"] if os.geteuid() == 0 else []
        dump = ["-d", os.path.join(self.folder, "mail.")]
        self.process = subprocess.Popen(
            [tool("smtp-sink"), *user, *dump, *options, f"127.0.0.1:{self.port}", "100"],
            cwd=self.folder,
            stderr=subprocess.DEVNULL,
        )

    def __enter__(self):
        wait_for(self.port)
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def mails(self):
        return [path.read_bytes() for path in sorted(pathlib.Path(self.folder).glob("mail.*"))]


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
myhostname = relay.example
mydestination =
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
mynetworks =
alias_maps =
alias_database =
local_recipient_maps =
maillog_file = {folder}/log
maillog_file_prefixes = {folder}
default_transport = smtp:[127.0.0.1]:{sink_port}
relay_transport = smtp:[127.0.0.1]:{sink_port}
smtp_tls_security_level = none
message_size_limit = 1000000
disable_dns_lookups = yes
smtpd_tls_cert_file = {folder}/server.pem
smtpd_tls_key_file = {folder}/server.key
smtpd_tls_security_level = may
smtpd_tls_auth_only = yes
smtpd_sasl_auth_enable = yes
smtpd_sasl_type = cyrus
smtpd_sasl_path = smtpd
cyrus_sasl_config_path = {folder}/sasl
smtpd_sasl_local_domain = relay.example
smtpd_relay_restrictions = permit_sasl_authenticated, reject
smtpd_recipient_restrictions =
    check_recipient_access inline:{{
        {{ nobody@peer.example = 550 5.1.1 no such user }},
        {{ busy@peer.example = 450 4.2.1 try later }} }}
"""

MASTER_CF = """
{port} inet n - n - - smtpd
{tls_port} inet n - n - - smtpd -o smtpd_tls_wrappermode=yes
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


class Postfix:
    """A relay with STARTTLS, implicit TLS and AUTH, which hands on what it gets to `sink`."""

    USER, PASSWORD = "ann", "correct horse"

    def __init__(self, sink):
        self.folder = tempfile.mkdtemp(prefix="mailroom-postfix-")
        os.chmod(self.folder, 0o755)
        self.port, self.tls_port = free_port(), free_port()
        self.ca_file = os.path.join(self.folder, "server.pem")
        names = {"folder": self.folder, "port": self.port, "tls_port": self.tls_port}
        self._write("main.cf", MAIN_CF.format(sink_port=sink.port, **names))
        self._write("master.cf", MASTER_CF.format(**names))
        for name in ("queue", "data", "sasl"):
            os.mkdir(os.path.join(self.folder, name))
        shutil.chown(os.path.join(self.folder, "data"), "postfix")
        self._make_certificate()
        self._make_user()

    def _write(self, name, text):
        with open(os.path.join(self.folder, name), "w", encoding="utf-8") as file:
            file.write(text)

    def _make_certificate(self):
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"]
            + ["-nodes", "-days", "2", "-subj", "/CN=relay.example", "-keyout", "server.key"]
            + ["-addext", "subjectAltName=DNS:relay.example", "-out", "server.pem"],
            cwd=self.folder,
            check=True,
            capture_output=True,
        )

    def _make_user(self):
        database = os.path.join(self.folder, "sasl", "users.db")
        subprocess.run(
            [tool("saslpasswd2"), "-p", "-c", "-f", database, "-u", "relay.example", self.USER],
            input=self.PASSWORD,
            text=True,
            check=True,
        )
        shutil.chown(database, pwd.getpwnam("postfix").pw_uid)
        settings = "pwcheck_method: auxprop\nauxprop_plugin: sasldb\nmech_list: PLAIN LOGIN\n"
        self._write("sasl/smtpd.conf", settings + f"sasldb_path: {database}\n")

    def __enter__(self):
        subprocess.run(
            [tool("postfix"), "-c", self.folder, "start"], check=True, capture_output=True
        )
        wait_for(self.port)
        return self

    def __exit__(self, *_):
        subprocess.run([tool("postfix"), "-c", self.folder, "stop"], capture_output=True)
        shutil.rmtree(self.folder, ignore_errors=True)
