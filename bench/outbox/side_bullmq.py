"""What a team with Node builds: an HTTP endpoint, a BullMQ queue in Redis, a nodemailer worker."""
import pathlib
import shutil
import subprocess
import sys

from load import deliver, email, http_load, post
from processes import first_line, stop, undone_on_failure, wait_for_port
from sink import free_port

HERE = pathlib.Path(__file__).resolve().parent
CONNECTIONS_DEFAULT = 5  # What nodemailer opens when it is not told.
CONNECTIONS_TUNED = 32

# Every write is on disk before it is answered. The log is never rewritten: that would only disturb.
REDIS = """
bind 127.0.0.1
port {port}
dir {folder}
save ""
appendonly yes
appendfsync always
auto-aof-rewrite-percentage 0
"""


class BullMq:
    """With so many SMTP connections, and as many jobs at once."""

    def __init__(self, folder, sink, load_program, connections):
        self.name = f"BullMQ {connections}"
        self.connections = connections
        self.folder = pathlib.Path(folder)
        self.sink = sink
        self.load_program = load_program
        self.processes = []

    def __enter__(self):
        redis = shutil.which("redis-server")
        if not redis:
            sys.exit("redis-server is missing: scripts/install bench")
        with undone_on_failure(self):
            self._start_all(redis)
        return self

    def _start_all(self, redis):
        redis_port = free_port()
        settings = self.folder / "redis.conf"
        settings.write_text(REDIS.format(port=redis_port, folder=self.folder))
        with open(self.folder / "redis.log", "wb") as log:
            self.processes.append(subprocess.Popen([redis, str(settings)], stdout=log))
        wait_for_port(redis_port)
        api = self._start_node("bullmq_api.mjs", redis_port)
        self.port = int(first_line(api).split()[1])
        worker = self._start_node("bullmq_worker.mjs", redis_port, self.sink.port, self.connections)
        first_line(worker)

    def _start_node(self, script, *numbers):
        command = ["node", str(HERE / script), *map(str, numbers)]
        process = subprocess.Popen(command, stdout=subprocess.PIPE)
        self.processes.append(process)
        return process

    def __exit__(self, *_):
        for process in reversed(self.processes):
            stop(process)

    def run(self, plan):
        request = post("/emails", email(plan.text_bytes))
        return deliver(lambda: http_load(self.load_program, self.port, plan.connections,
                                         plan.mails, request), self.sink, plan.mails)
