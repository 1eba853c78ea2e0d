"""The mails of the benchmark, and the clock around sending them."""
import dataclasses
import json
import random
import subprocess
import sys
import time

LOOK_SECONDS = 0.005  # A thousandth of a run.
RUN_SECONDS_MAX = 120
SETTLE_SECONDS = 0.5  # What is sent twice would have arrived by then.
HEADER_BYTES = 350  # About what nodemailer writes above a text; the others write somewhat less.
LINE_BYTES = 64  # Without its end.
# The text is drawn from these: a line that repeats would flatter whoever packs what it stores.
WORDS = """about account address amount arrive balance before below business card change charge
click confirm contact cost could customer date day days deliver details discount each every
expect find follow free from gift great have help hours information invoice item items leave
like line manage member more need next number offer online open order other over paid parcel
password pay please price question receive refund reply return save season see send service
shipping shop should sign some soon store summer support team thank their then these time today
total track update use value view visit want week welcome what when which with within would year
your""".split()
NUMBER = "\x01" * 8  # http_load puts another number in each place.


@dataclasses.dataclass(frozen=True)
class Plan:
    mails: int
    mail_bytes: int
    connections: int

    @property
    def text_bytes(self):
        """On the wire, where a line ends with two bytes."""
        return self.mail_bytes - HEADER_BYTES


@dataclasses.dataclass(frozen=True)
class Rates:
    """Mails a second. Delivered: from the first request until the sink has the last mail; `loaded`
    as long as mails still come in, which is what a queue that grows hides.
    """

    accepted: float
    delivered: float
    loaded: float


def prose(chance):
    """A line of words, of exactly LINE_BYTES."""
    line = " ".join(chance.choices(WORDS, k=LINE_BYTES // 3))
    return line[:LINE_BYTES - 1] + "."


def email(text_bytes, **more):
    lines, rest = divmod(text_bytes, LINE_BYTES + 2)
    chance = random.Random(text_bytes)  # The same text for every side.
    text = "".join(prose(chance) + "\n" for _ in range(lines))
    text += prose(chance)[: max(0, rest - 2)] + "\n"
    to = f"customer{NUMBER}@example.net"
    subject = f"Your order {NUMBER}"
    return {"from": "shop@example.com", "to": to, "subject": subject, "text": text} | more


def post(path, content, key=None):
    """The bytes of a request. JSON escapes the places of numbers, so they are put back."""
    body = json.dumps(content).replace("\\u0001", "\x01")
    head = f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
    if key:
        head += f"Authorization: Bearer {key}\r\n"
    return f"{head}Content-Length: {len(body)}\r\n\r\n{body}".encode()


def http_load(program, port, connections, requests, request):
    """Starts the load. Its result is the line of JSON that it prints when it is done."""
    command = [program, str(port), str(connections), str(requests), "202"]
    load = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    load.stdin.write(request)
    load.stdin.close()
    return load


def deliver(start_load, sink, mails):
    """Runs a load and waits until `sink` has all its mails, each once."""
    wanted = sink.count() + mails
    started = time.monotonic()
    load = start_load()
    accepted = delivered = arrived = None
    while accepted is None or delivered is None:
        time.sleep(LOOK_SECONDS)
        now = time.monotonic()
        if delivered is None and sink.count() >= wanted:
            delivered = now
        if accepted is None and load.poll() is not None:
            accepted = now
            arrived = mails - (wanted - sink.count())
        if load.poll():
            sys.exit(f"{load.args[0]} failed")
        if now - started > RUN_SECONDS_MAX:
            load.kill()
            sys.exit(f"{wanted - sink.count()} of {mails} mails did not arrive")
    if load.stdout:
        result = json.loads(load.stdout.read())
        load.stdout.close()
        started, accepted = result["started"], result["started"] + result["seconds"]
    time.sleep(SETTLE_SECONDS)
    if sink.count() > wanted:
        sys.exit(f"{sink.count() - wanted} mails arrived twice")
    return Rates(mails / (accepted - started), mails / (delivered - started),
                 arrived / (accepted - started))
