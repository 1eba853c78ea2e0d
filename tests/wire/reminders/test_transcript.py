"""All that the reminders' HTTP API answers, held against transcript.txt beside this file
and against what the server says of its routes.

MAILROOM_REWRITE_TRANSCRIPT=1 writes that file anew.
"""

import datetime
import difflib
import os
import pathlib
import re
import sys
import time
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent), str(HERE.parent / "outbox")]

# pylint: disable=wrong-import-position
from description import Description
from outbox_case import OutboxCase, OutboxServer, Sink
from talk import Talk
from talk_accounts import talk_of_accounts
from talk_drafts import talk_of_drafts
from talk_others import four_eyes, no_sender, talk_of_others
from transcript import CUSTOMERS, INVOICES, TEMPLATES, Transcript, now

RECORDED = HERE / "transcript.txt"
REWRITE = "MAILROOM_REWRITE_TRANSCRIPT"
# The conversation takes no longer; it must not run into the next day.
CONVERSATION_SECONDS_MAX = 240


def wait_until_the_day_is_long_enough():
    moment = now()
    midnight = (moment + datetime.timedelta(days=1)).replace(hour=0, minute=0, second=1)
    left = (midnight - moment).total_seconds()
    if left < CONVERSATION_SECONDS_MAX:
        time.sleep(left)


class TheTranscript(OutboxCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        wait_until_the_day_is_long_enough()
        sink = Sink("--obey-addresses", "--refuse", "end@fails.example.com=554",
                    "--drop", "end@held.example.com")
        cls.addClassCleanup(sink.stop)
        cls.arguments = ("--transport", f"smtp://{sink.address}")
        cls.settings = {"MAILROOM_REMINDERS_FROM": "Billing <billing@mailroom.example>"}
        super().setUpClass()
        cls.description = Description.served_by(cls.server)
        cls.strict = OutboxServer(*cls.arguments, settings={
            **cls.settings, "MAILROOM_REMINDERS_FOUR_EYES": "on"}).start()
        cls.addClassCleanup(cls.strict.stop)
        cls.nameless = OutboxServer(*cls.arguments).start()
        cls.addClassCleanup(cls.nameless.stop)

    def ask(self, *request, server=None, **options):  # pylint: disable=arguments-differ
        usual, self.server = self.server, server or self.server
        try:
            return super().ask(*request, **options)
        finally:
            self.server = usual

    def test_nothing_else_is_answered_than_was_recorded(self):
        transcript = Transcript()
        talk = Talk(self, transcript, self.server)
        talk_of_accounts(talk)
        talk_of_drafts(talk)
        talk_of_others(talk)
        four_eyes(Talk(self, transcript, self.strict))
        no_sender(Talk(self, transcript, self.nameless))
        self.assertEqual(self.unheard(transcript), [])
        if os.environ.get(REWRITE):
            RECORDED.write_text(transcript.text)
        recorded = RECORDED.read_text()
        if recorded != transcript.text:
            self.fail(f"{REWRITE}=1 takes this over:\n" + "".join(difflib.unified_diff(
                recorded.splitlines(True), transcript.text.splitlines(True), "recorded", "now")))

    def unheard(self, transcript):
        """The routes that the conversation leaves out."""
        wanted = ("/v1/reminders", CUSTOMERS, INVOICES, TEMPLATES)
        routes = [(method, path) for method, path in self.description.routes()
                  if path.startswith(wanted)]
        self.assertGreater(len(routes), 30)
        patterns = [(method, path, re.compile(re.sub(r"\{\w+\}", "[^/]+", path)))
                    for method, path in routes]
        return [f"{method} {path}" for method, path, pattern in patterns
                if not any(method == heard and pattern.fullmatch(at)
                           for heard, at in transcript.routes)]


if __name__ == "__main__":
    unittest.main()
