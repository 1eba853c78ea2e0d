"""fastify and PostgreSQL: a row of each open is on disk before the answer."""
import base64
import hashlib
import hmac
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "outbox"))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "people"))
from processes import first_line, stop, undone_on_failure
from side_postgres import Postgres

FOLDER = pathlib.Path(__file__).resolve().parent
SECRET = "the secret of the other side"


class Fastify:
    name = "fastify + PostgreSQL"

    def __init__(self, folder, _build):
        self.postgres = Postgres(folder)
        self.process = None

    def __enter__(self):
        self.postgres.__enter__()
        with undone_on_failure(self):
            command = ["node", str(FOLDER / "fastify_opens.mjs"), str(self.postgres.folder),
                       str(self.postgres.port), SECRET]
            self.process = subprocess.Popen(command, stdout=subprocess.PIPE)
            self.port = int(first_line(self.process))
        return self

    def __exit__(self, *failure):
        if self.process:
            stop(self.process)
        self.postgres.__exit__(*failure)

    def paths(self, mails):
        for mail in mails:
            mark = hmac.digest(SECRET.encode(), mail.encode(), hashlib.sha256)[:16]
            yield f"/t/o/{mail}." + base64.urlsafe_b64encode(mark).decode().rstrip("=")
