"""The Debian package, from scripts/package to a server that answers.

MAILROOM_LONG=1 also installs it in a Debian that has nothing else, which takes minutes and the
network.
"""

import contextlib
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import unittest
import urllib.request

SOURCE = pathlib.Path(os.environ["MAILROOM_TEST_SOURCE"])

def build_package():
    made = subprocess.run([SOURCE / "scripts" / "package"], check=True, capture_output=True,
                          text=True)
    return pathlib.Path(made.stdout.split()[-1])


@contextlib.contextmanager
def serving(command, settings=None):
    """The base URL of a server that `command` starts and that is asked to end afterwards."""
    # It takes every MAILROOM_ variable for a setting: it gets none of the tests' own.
    environment = {name: value for name, value in os.environ.items()
                   if not name.startswith("MAILROOM_")} | (settings or {})
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          env=environment) as server:
        try:
            line = server.stdout.readline()
            http = re.search(r"http=(\S+)", line)
            if not http:
                server.kill()
                raise AssertionError(f"{line!r} {server.stderr.read()}")
            yield f"http://{http[1]}"
        finally:
            server.send_signal(signal.SIGTERM)
            if server.wait(60) != 0:
                raise AssertionError(server.stderr.read())


def send_and_read_back(url, key):
    """One mail through the API; what the server says of it."""
    headers = {"Authorization": f"Bearer {key}"}
    mail = {"from": "shop@example.com", "to": "ann@example.org", "subject": "Hi", "text": "x"}
    request = urllib.request.Request(url + "/v1/emails", json.dumps(mail).encode(), headers)
    with urllib.request.urlopen(request, timeout=30) as answer:
        identifier = json.load(answer)["id"]
    request = urllib.request.Request(f"{url}/v1/emails/{identifier}", headers=headers)
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.load(answer)


class Package(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.package = build_package()
        cls.scratch = pathlib.Path(tempfile.mkdtemp(prefix="mailroom-package-"))
        cls.addClassCleanup(shutil.rmtree, cls.scratch, ignore_errors=True)

    def field(self, name):
        shown = subprocess.run(["dpkg-deb", "-f", self.package, name], check=True,
                               capture_output=True, text=True)
        return shown.stdout.strip()

    def unpacked(self):
        root = self.scratch / "unpacked"
        if not root.exists():
            subprocess.run(["dpkg-deb", "-x", self.package, root], check=True)
        return root

    def test_it_says_what_it_needs(self):
        self.assertEqual(self.field("Package"), "mailroom")
        for wanted in ("libc6", "libssl3", "libcurl4", "adduser", "ca-certificates", "tzdata"):
            self.assertIn(wanted, self.field("Depends"))
        self.assertNotIn("-dev", self.field("Depends"))

    def test_its_version_is_the_program_s(self):
        said = subprocess.run([self.unpacked() / "usr/bin/mailroom", "--version"], check=True,
                              capture_output=True, text=True)
        self.assertEqual(said.stdout, f"mailroom {self.field('Version')}\n")

    def test_its_configuration_serves(self):
        root = self.unpacked()
        command = [root / "usr/bin/mailroom", "serve",
                   "--config", root / "etc/mailroom/mailroom.toml", "--data", self.scratch / "data",
                   "--http", "127.0.0.1:0", "--smtp", "127.0.0.1:0", "--dynamodb", "127.0.0.1:0"]
        key = "a-key-for-the-package-test-1"
        with serving(command, {"MAILROOM_ADMIN_KEY": key}) as url:
            self.assertEqual(send_and_read_back(url, key)["id"].count("-"), 4)

    def test_the_unit_starts_what_is_installed(self):
        unit = (self.unpacked() / "usr/lib/systemd/system/mailroom.service").read_text()
        start = re.search(r"^ExecStart=(\S+) serve --config (\S+)$", unit, re.M)
        for path in start.groups():
            self.assertTrue((self.unpacked() / path.lstrip("/")).exists(), path)


@unittest.skipUnless(os.environ.get("MAILROOM_LONG"), "takes minutes: part of ./test --long")
class MinimalDebian(unittest.TestCase):
    """A Debian of its own, without even a compiler, in which the package is installed with apt."""

    @classmethod
    def setUpClass(cls):
        cls.scratch = pathlib.Path(tempfile.mkdtemp(prefix="mailroom-debian-"))
        cls.addClassCleanup(shutil.rmtree, cls.scratch, ignore_errors=True)
        cls.root = cls.scratch / "root"
        package = build_package()
        # From where this machine gets its packages.
        sources = sorted(pathlib.Path("/etc/apt").glob("sources.list.d/debian.sources"))
        sources = sources or [pathlib.Path("/etc/apt/sources.list")]
        install = f"apt-get install -y /tmp/{package.name}"
        subprocess.run(["mmdebstrap", "--variant=minbase", "--mode=root",
                        f"--customize-hook=copy-in {package} /tmp",
                        f'--customize-hook=chroot "$1" sh -c "{install}"',
                        "bookworm", cls.root, *sources], check=True, capture_output=True)

    def inside(self, *command):
        return ["chroot", self.root, *command]

    def as_service(self, *command):
        return self.inside("setpriv", "--reuid=mailroom", "--regid=mailroom", "--clear-groups",
                           *command)

    def test_it_is_installed_makes_its_key_and_serves_as_its_own_user(self):
        made = subprocess.run(
            self.as_service("mailroom", "key", "create", "admin", "--scope", "admin",
                            "--data", "/var/lib/mailroom"),
            check=True, capture_output=True, text=True)
        key = made.stdout.strip()
        command = self.as_service("mailroom", "serve", "--config", "/etc/mailroom/mailroom.toml",
                                  "--http", "127.0.0.1:0", "--smtp", "off", "--dynamodb", "off")
        with serving(command) as url:
            self.assertEqual(send_and_read_back(url, key)["id"].count("-"), 4)
        data = self.root / "var/lib/mailroom"
        self.assertEqual(data.stat().st_mode & 0o777, 0o700)
        self.assertNotEqual(data.stat().st_uid, 0)
        config = self.root / "etc/mailroom/mailroom.toml"
        self.assertEqual(config.stat().st_mode & 0o777, 0o640)

        subprocess.run(self.inside("apt-get", "purge", "-y", "mailroom"), check=True,
                       capture_output=True)
        self.assertTrue((data / "FORMAT").exists(), "removing the program keeps the data")


if __name__ == "__main__":
    unittest.main()
