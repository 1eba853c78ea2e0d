"""Writes requests and answers as text that is the same on every day and for every server."""

import collections
import datetime
import difflib
import json
import os
import re
import time

# Where the routes are that have a prefix of their own; the transcript says <customers> and so on.
CUSTOMERS = "/v1/reminders/customers"
INVOICES = "/v1/reminders/invoices"
TEMPLATES = "/v1/reminders/templates"

PREFIXES = {"<customers>": CUSTOMERS, "<invoices>": INVOICES, "<templates>": TEMPLATES}

REWRITE = "MAILROOM_REWRITE_TRANSCRIPT"  # With 1, what is said is recorded anew.
INTRODUCTION = """\
{what}, as test_transcript.py drives it, and what comes back. <today-10d> is the
day ten days ago, <time> is now, <second> is now without milliseconds, and what has a number, such
as <draft 1>, is the same wherever that is. A long text is there once, behind its number."""
COLUMNS = 100
LONG_CHARACTERS = 120
# Answers' headers that are part of what a client relies on.
HEADERS = ("Allow", "Cache-Control", "Idempotent-Replayed", "Retry-After", "WWW-Authenticate")
# Members whose values differ each time, and what stands for them.
REMINDERS = {"draft_id": "draft", "open_draft_id": "draft", "mail_id": "mail",
            "payment_id": "payment", "content_hash": "hash", "next": "cursor",
            "ses_message_id": "message"}
# A moment is told by its distance from now in days; it may be so many seconds off.
NOW_SECONDS = 900
# A conversation takes no longer; it must not run into the next day.
CONVERSATION_SECONDS_MAX = 240
FAR_DAYS = 100  # A date farther away is the same each day, as the examples in refusals are.

_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z")
_DAY = re.compile(r"(?<![\d-])\d{4}-\d\d-\d\d(?![\d-])")
_STAMP = re.compile(r"(?<!\d)(\d{8})_\d{6}(?=_)")
_MADE_INVOICE = re.compile(r"INV-\d{4}-[0-9A-F]{6}")
_ADDRESS = re.compile(r"127\.0\.0\.1:\d+")
_STORED = re.compile(r"Stored as \w+")  # What `mailroom sink` says of a message.
_TOLD = re.compile(r"evt_[0-9a-f]{32}")  # What a webhook knows an event by.
# Of the times in refusals, which are the same each day.
EXAMPLES = ("2026-11-15T09:00:00Z", "2026-11-15T05:51:24Z")


class Number(str):
    """A number as the server wrote it: 1500.00 is not 1500."""


def now():
    return datetime.datetime.now(datetime.timezone.utc)


def day(offset=0):
    return (now() + datetime.timedelta(days=offset)).strftime("%Y-%m-%d")


def wait_until_the_day_is_long_enough():
    moment = now()
    midnight = (moment + datetime.timedelta(days=1)).replace(hour=0, minute=0, second=1)
    left = (midnight - moment).total_seconds()
    if left < CONVERSATION_SECONDS_MAX:
        time.sleep(left)


def _signed(days):
    return f"{days:+d}d" if days else ""


def _day_placeholder(text):
    try:
        days = (datetime.date.fromisoformat(text) - now().date()).days
    except ValueError:
        return text
    return f"<today{_signed(days)}>" if abs(days) < FAR_DAYS else text


def _time_placeholder(text):
    kind = "time" if "." in text else "second"
    seconds = (datetime.datetime.fromisoformat(text[:-1] + "+00:00") - now()).total_seconds()
    days = round(seconds / 86400)
    if abs(days) >= FAR_DAYS:
        return text
    # The end of a day is that, also right after midnight.
    is_end_of_day = text.endswith("T23:59:59.999Z")
    if abs(seconds - days * 86400) < NOW_SECONDS and not is_end_of_day:
        return f"<{kind}{_signed(days)}>"
    return _day_placeholder(text[:10]) + text[10:]


def _stamp_placeholder(found):
    days = f"{found[1][:4]}-{found[1][4:6]}-{found[1][6:]}"
    return "<stamp>" if _day_placeholder(days) in ("<today>", "<today-1d>") else found[0]


class Placeholders:
    """What stands for values that differ each time, numbered as they come up."""

    def __init__(self, volatile):
        self.volatile = volatile
        self.known = {}
        self.counts = collections.Counter()

    def name(self, text, placeholder):
        self.known[text] = placeholder

    def learn(self, kind, text):
        if text in self.known or text in ("", "opening"):
            return
        self.counts[kind] += 1
        self.known[text] = f"<{kind} {self.counts[kind]}>"

    def learn_from(self, value):
        if isinstance(value, list):
            for each in value:
                self.learn_from(each)
        if not isinstance(value, dict):
            return
        for name, member in sorted(value.items()):
            if isinstance(member, (dict, list)):
                self.learn_from(member)
            elif isinstance(member, str) and not isinstance(member, Number):
                if name in self.volatile:
                    self.learn(self.volatile[name], member)

    def stable(self, text):
        for made in _MADE_INVOICE.findall(text):
            self.learn("made invoice", made)
        for known in sorted(self.known, key=len, reverse=True):
            text = text.replace(known, self.known[known])
        for example in EXAMPLES:
            text = text.replace(example, "<example of a time>")
        text = _TOLD.sub("<webhook-id>", text)
        text = _STORED.sub("Stored as <name>", text)
        text = _TIME.sub(lambda found: _time_placeholder(found[0]), text)
        text = _DAY.sub(lambda found: _day_placeholder(found[0]), text)
        text = _ADDRESS.sub("<relay>", _STAMP.sub(_stamp_placeholder, text))
        for placeholder, prefix in PREFIXES.items():
            text = re.sub(re.escape(prefix) + r"(?![\w-])", placeholder, text)
        return text


def parse(body):
    return json.loads(body, parse_float=Number, parse_int=Number)


def lines_of(value, indent, before="", after=""):
    """JSON with its members in the order of their names, and as much on a line as it holds."""
    short = " " * indent + before + _one_line(value) + after
    if len(short) <= COLUMNS or not isinstance(value, (dict, list)) or not value:
        return [short]
    is_list = isinstance(value, list)
    opening, closing = "[]" if is_list else "{}"
    members = [("", each) for each in value] if is_list else [
        (_one_line(name) + ": ", member) for name, member in sorted(value.items())]
    if len(members) == 1:
        name, member = members[0]
        return lines_of(member, indent, before + opening + name, closing + after)
    lines = [" " * indent + before + opening]
    line = ""
    for number, (name, member) in enumerate(members, 1):
        comma = "," if number < len(members) else ""
        text = name + _one_line(member) + comma
        if len(line) + len(text) + 1 + indent + 2 <= COLUMNS:
            line += " " + text if line else text
            continue
        lines += [" " * (indent + 2) + line] if line else []
        line = text
        if len(text) + indent + 2 > COLUMNS:
            lines += lines_of(member, indent + 2, name, comma)
            line = ""
    lines += [" " * (indent + 2) + line] if line else []
    return lines + [" " * indent + closing + after]


def _one_line(value):
    if isinstance(value, Number):
        return str(value)
    if isinstance(value, dict):
        members = (f"{_one_line(name)}: {_one_line(value[name])}" for name in sorted(value))
        return "{" + ", ".join(members) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_one_line, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


class Transcript:
    """All requests and answers of one conversation.

    `volatile` says what stands for members that differ each time; the values of those in `blurred`
    are left out.
    """

    def __init__(self, what="The reminders' HTTP API", volatile=None, blurred=(), headers=HEADERS):
        self.placeholders = Placeholders(REMINDERS if volatile is None else volatile)
        self.blurred = blurred
        self.headers = headers
        self.lines = [INTRODUCTION.format(what=what)]
        self.routes = set()
        self.statuses = set()  # Method, path and status of all answers.
        self.long_texts = {}

    @property
    def text(self):
        return "\n".join(self.lines) + "\n"

    def title(self, text):
        self.lines += ["", "", f"== {text} =="]

    def note(self, text):
        """What happens without a request."""
        self.lines += ["", f"({self.placeholders.stable(text)})"]

    def keeps(self, *names):
        """These are the same each time, also where others of their kind are not."""
        for name in names:
            self.placeholders.name(name, name)

    def _stable(self, value):
        if isinstance(value, Number):
            return value
        if isinstance(value, str):
            return self._once(self.placeholders.stable(value))
        if isinstance(value, list):
            return [self._stable(each) for each in value]
        if isinstance(value, dict):
            return {self._stable(name):
                    f"<{name}>" if name in self.blurred else self._stable(member)
                    for name, member in sorted(value.items())}
        return value

    def _once(self, text):
        """A long text is there once, with its number, and then only its number."""
        if len(text) < LONG_CHARACTERS:
            return text
        if text in self.long_texts:
            return self.long_texts[text]
        self.long_texts[text] = f"<text {len(self.long_texts) + 1}>"
        return f"{self.long_texts[text]} {text}"

    def _body_lines(self, text):
        if not text:
            return []
        try:
            value = parse(text)
        except ValueError:
            for name in self.blurred:
                text = re.sub(rf'"{name}":"[^"]*"', f'"{name}":"<{name}>"', text)
            lines = self.placeholders.stable(text).replace("\r\n", "\n").split("\n")
            return ["  | " + line for line in lines]
        return lines_of(self._stable(value), 2)

    def add(self, who, method, path, body, headers, answer):  # pylint: disable=too-many-arguments
        """One request, with its body as text, and its answer."""
        self.routes.add((method, path.partition("?")[0]))
        self.statuses.add((method, path, answer.status))
        self.lines += ["", f"{who}: {method} {self.placeholders.stable(path)}"]
        self.lines += [f"  {name}: {value}" for name, value in headers.items()]
        self.lines += self._body_lines(body or "")
        kind = answer.headers.get("Content-Type", "")
        text = (f"({len(answer.body)} bytes of {kind})" if kind.startswith("image/")
                else answer.body.decode())
        if kind.startswith("application/json"):
            self.placeholders.learn_from(parse(text))
        self.lines.append(str(answer.status))
        for name in self.headers:
            if answer.headers.get(name):
                value = self.placeholders.stable(answer.headers[name])
                self.lines.append(f"  {name}: {value}")
        self.lines += self._body_lines(text)


def compared(transcript, path):
    """What of it is not as the file has it; nothing if it is to be recorded anew."""
    if os.environ.get(REWRITE):
        path.write_text(transcript.text)
    recorded = path.read_text()
    if recorded == transcript.text:
        return ""
    return f"{REWRITE}=1 takes this over:\n" + "".join(difflib.unified_diff(
        recorded.splitlines(True), transcript.text.splitlines(True), "recorded", "now"))
