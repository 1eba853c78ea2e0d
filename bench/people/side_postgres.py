"""PostgreSQL, holding people as list managers on it do: attributes as JSON, memberships in a table
of their own, opens and clicks as rows. Durable as it comes: fsync and synchronous commits on."""
import contextlib
import json
import os
import pathlib
import pwd
import resource
import socket
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "outbox"))
from processes import START_SECONDS_MAX, cpu_seconds_of, stop, undone_on_failure

PROGRAMS = pathlib.Path("/usr/lib/postgresql/15/bin")
USER = "postgres"  # It refuses to be root.
BATCH = 1000
READ_BYTES = 1 << 20
LEAVE_SECONDS = 1  # After a client has gone, its server process goes too, and is counted.
SCHEMA = """
CREATE TABLE subscribers (id SERIAL PRIMARY KEY, email TEXT NOT NULL, name TEXT NOT NULL,
    attribs JSONB NOT NULL DEFAULT '{}', status TEXT NOT NULL DEFAULT 'enabled',
    created_at TIMESTAMPTZ DEFAULT now(), updated_at TIMESTAMPTZ DEFAULT now());
CREATE UNIQUE INDEX subscribers_email ON subscribers (LOWER(email));
CREATE INDEX subscribers_status ON subscribers (status);
CREATE TABLE lists (id SERIAL PRIMARY KEY, name TEXT UNIQUE NOT NULL);
CREATE TABLE subscriber_lists (subscriber_id INTEGER REFERENCES subscribers(id),
    list_id INTEGER REFERENCES lists(id), created_at TIMESTAMPTZ DEFAULT now(),
    PRIMARY KEY (subscriber_id, list_id));
CREATE INDEX subscriber_lists_list ON subscriber_lists (list_id);
CREATE TABLE campaign_views (subscriber_id INTEGER, created_at TIMESTAMPTZ);
CREATE INDEX campaign_views_subscriber ON campaign_views (subscriber_id);
CREATE INDEX campaign_views_date ON campaign_views (created_at);
CREATE TABLE link_clicks (subscriber_id INTEGER, created_at TIMESTAMPTZ);
CREATE INDEX link_clicks_subscriber ON link_clicks (subscriber_id);
CREATE INDEX link_clicks_date ON link_clicks (created_at);
"""


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def quoted(text):
    return "'" + str(text).replace("'", "''") + "'"


class Postgres:
    name = "PostgreSQL"

    def __init__(self, folder):
        self.folder = pathlib.Path(folder) / "postgres"
        self.port = free_port()

    def _command(self, program, *arguments):
        return [str(PROGRAMS / program), *map(str, arguments)]

    def _as_user(self, command):
        if os.geteuid() != 0:
            return command
        return ["setpriv", f"--reuid={USER}", f"--regid={USER}", "--clear-groups", *command]

    def __enter__(self):
        self.folder.mkdir()
        if os.geteuid() == 0:
            user = pwd.getpwnam(USER)
            os.chown(self.folder, user.pw_uid, user.pw_gid)
        data = self.folder / "data"
        subprocess.run(self._as_user(self._command("initdb", "-D", data, "-A", "trust", "-E",
                                                   "UTF8", "--locale=C")),
                       check=True, stdout=subprocess.DEVNULL)
        options = {"listen_addresses": "127.0.0.1", "port": self.port,
                   "unix_socket_directories": str(self.folder), "shared_buffers": "512MB",
                   "work_mem": "64MB", "max_wal_size": "4GB"}
        settings = [word for name, value in options.items() for word in ("-c", f"{name}={value}")]
        with open(self.folder / "log", "wb") as log:
            self.process = subprocess.Popen(
                self._as_user(self._command("postgres", "-D", data, *settings)), stdout=log,
                stderr=log)
        with undone_on_failure(self):
            self._wait_until_ready()
            self.run(SCHEMA)
        return self

    def _wait_until_ready(self):
        end = time.monotonic() + START_SECONDS_MAX
        ready = self._command("pg_isready", "-q", "-h", "127.0.0.1", "-p", self.port)
        while subprocess.run(ready, check=False).returncode != 0:
            if time.monotonic() > end or self.process.poll() is not None:
                sys.exit(f"{self.name} did not start: {(self.folder / 'log').read_text()}")
            time.sleep(0.05)

    def __exit__(self, *_):
        stop(self.process)

    def _psql(self, *arguments):
        return self._command("psql", "-h", "127.0.0.1", "-p", self.port, "-U", USER, "-X", "-q",
                             "-A", "-t", "-v", "ON_ERROR_STOP=1", *arguments, "postgres")

    def run(self, text):
        done = subprocess.run(self._psql("-f", "-"), input=text.encode(), check=True,
                              stdout=subprocess.PIPE)
        return done.stdout.decode().strip()

    def import_people(self, people, tags):
        """Seconds: each batch is a transaction of two statements. Writing them out is not timed."""
        self.run("INSERT INTO lists (name) VALUES " +
                 ",".join(f"({quoted(tag)})" for tag in tags) + ";")
        numbers = {tag: number + 1 for number, tag in enumerate(tags)}
        statements = self.folder / "people.sql"
        with open(statements, "w", encoding="utf-8") as file:
            batch, first = [], 1
            for person in people:
                batch.append(person)
                if len(batch) == BATCH:
                    file.write(self._batch(batch, first, numbers))
                    batch, first = [], first + BATCH
            if batch:
                file.write(self._batch(batch, first, numbers))
        cpu = self.cpu_seconds()
        started = time.monotonic()
        subprocess.run(self._psql("-f", str(statements)), check=True)
        seconds = time.monotonic() - started
        time.sleep(LEAVE_SECONDS)
        self.import_cpu_seconds = self.cpu_seconds() - cpu
        statements.unlink()
        self.run("VACUUM ANALYZE;")
        return seconds

    def cpu_seconds(self):
        """Of all connections that have ended, and of all clients of them."""
        clients = resource.getrusage(resource.RUSAGE_CHILDREN)
        return cpu_seconds_of(self.process.pid) + clients.ru_utime + clients.ru_stime

    @staticmethod
    def _batch(batch, first, numbers):
        rows = ",".join(
            f"({quoted(p.email)},{quoted(p.first_name)},{quoted(json.dumps(p.attributes))})"
            for p in batch)
        memberships = ",".join(f"({first + at},{numbers[tag]})"
                               for at, p in enumerate(batch) for tag in p.tags)
        return (f"BEGIN;INSERT INTO subscribers (email,name,attribs) VALUES {rows};\n"
                f"INSERT INTO subscriber_lists (subscriber_id,list_id) VALUES {memberships};"
                "COMMIT;\n")

    def note_engagement(self, people):
        """Not timed."""
        with contextlib.ExitStack() as files:
            views = files.enter_context(open(self.folder / "views", "w", encoding="utf-8"))
            clicks = files.enter_context(open(self.folder / "clicks", "w", encoding="utf-8"))
            for number, person in enumerate(people, 1):
                if person.opened_days_ago is None:
                    continue
                views.write(f"{number}\t{person.opened_days_ago}\n")
                if person.clicked:
                    clicks.write(f"{number}\t{person.opened_days_ago}\n")
        for table, name in (("campaign_views", "views"), ("link_clicks", "clicks")):
            self.run(f"CREATE TEMP TABLE noted (who INTEGER, days INTEGER);\n"
                     f"\\copy noted FROM '{self.folder / name}'\n"
                     f"INSERT INTO {table} "
                     f"SELECT who, now() - days * interval '1 day' FROM noted;\n"
                     f"ANALYZE {table};")

    def timed(self, query, rounds=5):
        """The answer, and the median of its milliseconds as the server measures them."""
        text = "\\timing on\n" + (query + ";\n") * (rounds + 1)  # The first one warms up.
        lines = self.run(text).splitlines()
        times = sorted(float(line.split()[1]) for line in lines if line.startswith("Time:"))
        answers = {line for line in lines if line and not line.startswith("Time:")}
        if len(answers) != 1:
            sys.exit(f"PostgreSQL answers differently each time: {answers}")
        return int(answers.pop()), times[len(times) // 2]

    def count_attributes_and_tag(self, plan, country, tag):
        return self.timed(
            "SELECT COUNT(*) FROM subscribers s JOIN subscriber_lists m ON m.subscriber_id = s.id "
            f"JOIN lists l ON l.id = m.list_id WHERE l.name = {quoted(tag)} AND "
            f"s.attribs->>'plan' = {quoted(plan)} AND s.attribs->>'country' = {quoted(country)} "
            "AND s.status = 'enabled'")

    def count_opened_not_clicked(self, days):
        since = f"now() - interval '{days} days'"
        return self.timed(
            "SELECT COUNT(*) FROM subscribers s WHERE EXISTS (SELECT 1 FROM campaign_views v WHERE "
            f"v.subscriber_id = s.id AND v.created_at > {since}) AND NOT EXISTS (SELECT 1 FROM "
            f"link_clicks c WHERE c.subscriber_id = s.id AND c.created_at > {since})")

    @staticmethod
    def _until_end(output):
        """The lines before the one that says end; not looked at one by one, to be quick."""
        rows = b""
        while not rows.endswith(b"\nend\n") and rows != b"end\n":
            piece = os.read(output.fileno(), READ_BYTES)
            if not piece:
                sys.exit("psql went away")
            rows += piece
        return rows[:-len(b"end\n")]

    def expand_tag(self, tag, batch=BATCH):
        """People a second, handed out in batches by id as campaigns ask for them; how many, and
        seconds of processors."""
        cpu = self.cpu_seconds()
        query = (
            "SELECT s.id, s.email, s.name, s.attribs FROM subscribers s JOIN subscriber_lists m "
            f"ON m.subscriber_id = s.id WHERE m.list_id = (SELECT id FROM lists WHERE name = "
            f"{quoted(tag)}) AND s.status = 'enabled' AND s.id > :last ORDER BY s.id LIMIT {batch}")
        started, seen, last = time.monotonic(), 0, 0
        with subprocess.Popen(self._psql(), stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE) as client:
            while True:
                client.stdin.write((query.replace(":last", str(last)) + ";\n\\echo end\n").encode())
                client.stdin.flush()
                rows = self._until_end(client.stdout)
                count = rows.count(b"\n")
                seen += count
                if count < batch:
                    break
                last = int(rows[rows.rfind(b"\n", 0, -1) + 1:].split(b"|", 1)[0])
            client.stdin.close()
        rate = seen / (time.monotonic() - started)
        time.sleep(LEAVE_SECONDS)
        return rate, seen, self.cpu_seconds() - cpu
