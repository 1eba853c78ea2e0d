"""README.md, word by word: its blocks are run in their order, against a server on free ports.

Of the pages in docs/ the commands of those on reminders and on people are run, too; of all of
them the shell must read every block, and the API have every route that is named.
"""

import datetime
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

import yaml

from description import pattern
from server import Server

ROOT = pathlib.Path(__file__).resolve().parents[3]
KEY = "a-key-for-the-readme-test-12"
# They build, serve or test: done by whoever runs this.
NOT_HERE = ("./run\n", "./test", "export PATH=")


PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def blocks(page=ROOT / "README.md"):
    """[(language, text)] of a page."""
    return re.findall(r"^```(\w+)\n(.*?)^```$", page.read_text(encoding="utf-8"), re.M | re.S)


def routes():
    """Of the API, as patterns."""
    paths = yaml.safe_load((ROOT / "docs" / "openapi.yaml").read_text(encoding="utf-8"))["paths"]
    return [re.compile(pattern(path, methods).pattern + "$") for path, methods in paths.items()]


class Readme(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="mailroom-readme-")
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        cls.server = Server(data=os.path.join(cls.folder, "mailroom-data"),
                            settings={"MAILROOM_ADMIN_KEY": KEY})
        cls.server.settings["MAILROOM_DYNAMODB_AUTH"] = "sigv4"
        cls.environment = {name: value for name, value in os.environ.items()
                           if not name.startswith(("MAILROOM_", "AWS_"))}
        binary = pathlib.Path(cls.server.binary)
        cls.environment.update(PATH=f"{binary.parent}:{os.environ['PATH']}", KEY=KEY)

    def here(self, text):
        """The block with this server's addresses and keys."""
        http = ":".join(map(str, self.server.http))
        tables = ":".join(map(str, self.server.dynamodb))
        text = text.replace("127.0.0.1:8025", http).replace("127.0.0.1:8000", tables)
        text = text.replace("mailroom demo", f"mailroom demo --http {http}")
        text = re.sub(r"^KEY=mr_….*$", "", text, flags=re.M)
        # It works until it is told to stop, on a port that may be taken here.
        return text.replace("mailroom sink", "timeout --preserve-status 1 mailroom sink").replace(
            "--listen 127.0.0.1:2526", "--listen 127.0.0.1:0")

    def run_block(self, command, text):
        ran = subprocess.run([*command, self.here(text)], cwd=self.folder, env=self.environment,
                             capture_output=True, text=True, timeout=120, check=False)
        self.assertEqual(ran.returncode, 0, f"{text}\n{ran.stdout}\n{ran.stderr}")
        self.assertNotIn('"error"', ran.stdout, text)
        return ran.stdout

    def shell(self, text):
        return self.run_block(["bash", "-euo", "pipefail", "-c"], text)

    def run_while_served(self, language, text):
        if "export AWS_ACCESS_KEY_ID" in text:
            text = re.sub(r"^export .*$", "", text, flags=re.M)
        if language == "sh":
            output = self.shell(text)
            self.note_access_key(text, output)
        elif language == "python":
            self.assertIn("Decimal('42')", self.run_block(["/usr/bin/python3", "-c"], text))
        return language in ("sh", "python")

    def note_access_key(self, text, output):
        if "/v1/access-keys" not in text:
            return
        self.environment.update(
            AWS_ACCESS_KEY_ID=re.search(r'"id":"(\w+)"', output)[1],
            AWS_SECRET_ACCESS_KEY=re.search(r'"secret":"([^"]+)"', output)[1],
            AWS_DEFAULT_REGION="us-east-1")

    def test_every_block_does_what_the_page_says(self):
        ran = 0
        with self.server:
            for language, text in blocks():
                if any(word in text for word in NOT_HERE) or "mailroom key create" in text:
                    continue
                with self.subTest(text.splitlines()[0]):
                    ran += self.run_while_served(language, text)
        self.assertGreaterEqual(ran, 6)
        # Those for when no server has the data open.
        keys = [text for language, text in blocks() if text.startswith("mailroom key create")]
        self.assertEqual(len(keys), 1)
        found = "$(mailroom key list | grep billing | cut -d' ' -f1)"
        text = keys[0].replace("revoke ID", f"revoke {found}")
        self.assertIn("mr_", self.shell(text))
        self.assertNotIn("billing", self.shell("mailroom key list"))

    def test_every_file_that_the_page_links_to_is_there(self):
        text = (ROOT / "README.md").read_text(encoding="utf-8")
        for target in re.findall(r"\]\(([^)#:]+)\)", text):
            self.assertTrue((ROOT / target).exists(), target)

    def test_every_page_that_the_documentation_links_to_is_there(self):
        for page in (ROOT / "docs").glob("*.md"):
            text = page.read_text(encoding="utf-8")
            for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text):
                self.assertTrue((page.parent / target).exists(), f"{page.name}: {target}")

    def test_every_route_that_a_page_names_is_there(self):
        known = routes()
        for page in PAGES:
            text = page.read_text(encoding="utf-8")
            named = re.findall(r"(?<![\w.])/v1/[a-z][\w/:.{}-]*\w", text)
            named += ["/v1/" + path for path in re.findall(r"^ask [\"']?([\w/$-]+)", text, re.M)]
            for path in named:
                if path != "/v1/chat/completions":  # Another server's.
                    self.assertTrue(any(route.match(path) for route in known),
                                    f"{page.name}: {path}")

    def test_the_shell_reads_every_block_for_it(self):
        for page in PAGES:
            for language, text in blocks(page):
                if language == "sh":
                    read = subprocess.run(["bash", "-n"], input=text, text=True,
                                          capture_output=True, check=False)
                    said = (read.returncode, read.stderr)
                    self.assertEqual(said, (0, ""), f"{page.name}: {text}")


class Reminders(unittest.TestCase):
    """The commands of docs/reminders.md, one after the other."""

    def setUp(self):
        self.server = Server(settings={"MAILROOM_ADMIN_KEY": KEY}).start()
        self.addCleanup(self.server.stop)
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        day = datetime.date.today() - datetime.timedelta(days=20)
        self.next_month = datetime.date.today() + datetime.timedelta(days=30)
        numbers = ("001", "002", "003")
        files = {"customers.csv": "customer_id,name,email\n" + "".join(
                     f"cust_{number},John,john{number}@example.com\n" for number in numbers),
                 "invoices.csv": "invoice_id,customer_id,amount,due_date\n" + "".join(
                     f"INV-{number},cust_{number},1500.00,{day}\n" for number in numbers)}
        for name, text in files.items():
            (pathlib.Path(self.folder.name) / name).write_text(text, encoding="utf-8")

    def shell(self, text):
        """What the API answered."""
        ran = subprocess.run(["bash", "-euo", "pipefail", "-c", text], cwd=self.folder.name,
                             env={**os.environ, "KEY": KEY}, capture_output=True, text=True,
                             timeout=60, check=True)
        self.assertNotIn('"error"', ran.stdout, text)
        return ran.stdout

    def commands(self):
        """One by one, with what defines `ask` before each."""
        ask, *others = [text for language, text in blocks(ROOT / "docs" / "reminders.md")
                        if language == "sh"]
        ask = ask.replace("127.0.0.1:8025", ":".join(map(str, self.server.http)))
        for text in others:
            for command in re.split(r"^(?=ask )", text, flags=re.M):
                if command:
                    yield ask, command

    def drafted(self, ask):
        """The id of the oldest draft, or of a new one for the customer whom the page leaves."""
        there = json.loads(self.shell(f"{ask}\nask reminders/drafts"))["items"]
        if not there:
            made = "ask reminders/drafts -d '{\"customer_id\": \"cust_003\"}'"
            there = [json.loads(self.shell(f"{ask}\n{made}"))]
        return there[0]["draft_id"]

    def test_every_command_does_what_the_page_says(self):
        count = 0
        for ask, command in self.commands():
            with self.subTest(command):
                if "payments/ID" in command:
                    paid = json.loads(self.shell(f"{ask}\nask reminders/invoices/INV-001/payments"))
                    command = command.replace("/ID/", f"/{paid['items'][0]['payment_id']}/")
                elif "drafts/ID" in command:
                    command = command.replace("/ID", "/" + self.drafted(ask))
                # What is promised on the page was to come when it was written.
                command = re.sub(r'"until": "[^"]+"', f'"until": "{self.next_month}"', command)
                self.shell(f"{ask}\n{command}")
                count += 1
        self.assertGreaterEqual(count, 15)


class People(unittest.TestCase):
    """The commands of the pages about people, each page with a server of its own."""

    FILE = "email;firstName;tags;zip;phone\nann@example.com;Ann;vip;01234;030 1\n"

    def setUp(self):
        self.server = Server(settings={
            "MAILROOM_ADMIN_KEY": KEY, "MAILROOM_TRACKING_URL": "https://mail.example.com"}).start()
        self.addCleanup(self.server.stop)
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        (pathlib.Path(self.folder.name) / "people.csv").write_text(self.FILE, encoding="utf-8")
        self.address = ":".join(map(str, self.server.http))
        self.ask = ('ask() { curl -s -H "Authorization: Bearer $KEY" '
                    f'"http://{self.address}/v1/$1" "${{@:2}}"; echo; }}')
        self.ids = {}
        for name in ("ann", "jane"):
            self.shell(f"ask people/{name}@example.com -X PUT -d '{{\"firstName\": \"{name}\"}}'")

    def shell(self, command):
        """What the API answered, which must not be a refusal."""
        command = command.replace("127.0.0.1:8025", self.address)
        ran = subprocess.run(["bash", "-euo", "pipefail", "-c", f"{self.ask}\n{command}"],
                             cwd=self.folder.name, env={**os.environ, "KEY": KEY},
                             capture_output=True, text=True, timeout=60, check=True)
        self.assertNotIn('"error"', ran.stdout, command)
        return ran.stdout

    def run_page(self, name):
        """How many commands ran. What an answer calls an id is meant by the page's next ID."""
        count = 0
        for language, text in blocks(ROOT / "docs" / f"{name}.md"):
            for command in re.split(r"^(?=ask |curl )", text, flags=re.M):
                if language != "sh" or not command.startswith(("ask ", "curl ")):
                    continue
                with self.subTest(command):
                    if "/merge" in command:  # The one before it took her old address away.
                        self.shell("ask people/ann@example.com -X PUT -d '{}'")
                        self.shell("ask people/ann.k@example.com -X PUT -d '{}'")
                    for word, value in self.ids.items():
                        command = re.sub(rf"\b{word}\b", value, command)
                    said = self.shell(command)
                    found = re.search(r'"id":"([\w-]+)"', said)
                    if found:
                        self.ids = {"MAIL_ID": found[1], "ID": found[1]}
                    count += 1
        return count

    def test_of_people(self):
        self.assertGreaterEqual(self.run_page("people"), 11)

    def test_of_consent(self):
        self.assertGreaterEqual(self.run_page("consent"), 14)

    def test_of_segments(self):
        self.assertGreaterEqual(self.run_page("segments"), 12)

    def test_of_engagement(self):
        self.shell("ask people/jane@example.org -X PUT -d '{}'")
        self.assertGreaterEqual(self.run_page("engagement"), 8)

    def test_of_webhooks(self):
        self.assertGreaterEqual(self.run_page("webhooks"), 6)

    def test_of_tracking(self):
        self.assertGreaterEqual(self.run_page("tracking"), 2)

    def test_of_erasure(self):
        self.assertEqual(self.run_page("erasure"), 4)


if __name__ == "__main__":
    unittest.main()
