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

from postfix_folder import PostfixFolder, tool


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


SETTINGS = """
mynetworks =
default_transport = smtp:[127.0.0.1]:{sink_port}
relay_transport = smtp:[127.0.0.1]:{sink_port}
message_size_limit = 1000000
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

LISTENERS = """
{port} inet n - n - - smtpd
{tls_port} inet n - n - - smtpd -o smtpd_tls_wrappermode=yes
"""


class Postfix:
    """A relay with STARTTLS, implicit TLS and AUTH, which hands on what it gets to `sink`."""

    USER, PASSWORD = "ann", "correct horse"

    def __init__(self, sink):
        self.folder = tempfile.mkdtemp(prefix="mailroom-postfix-")
        os.chmod(self.folder, 0o755)
        self.port, self.tls_port = free_port(), free_port()
        self.ca_file = os.path.join(self.folder, "server.pem")
        self.postfix = PostfixFolder(
            self.folder,
            SETTINGS.format(folder=self.folder, sink_port=sink.port),
            LISTENERS.format(port=self.port, tls_port=self.tls_port),
        )
        os.mkdir(os.path.join(self.folder, "sasl"))
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
        self.postfix.start()
        wait_for(self.port)
        return self

    def __exit__(self, *_):
        self.postfix.stop()
        shutil.rmtree(self.folder, ignore_errors=True)
