"""All that the reminders' HTTP API answers, held against transcript.txt beside this file
and against what the server says of its routes.

MAILROOM_REWRITE_TRANSCRIPT=1 writes that file anew.
"""

import pathlib
import sys
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
from transcript import (CUSTOMERS, INVOICES, TEMPLATES, Transcript, compared,
                        wait_until_the_day_is_long_enough)

RECORDED = HERE / "transcript.txt"


def is_ours(path):
    return path.startswith(("/v1/reminders", CUSTOMERS, INVOICES, TEMPLATES))


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

    def test_nothing_else_is_answered_than_was_recorded(self):
        transcript = Transcript()
        talk = Talk(self, transcript, self.server)
        talk_of_accounts(talk)
        talk_of_drafts(talk)
        talk_of_others(talk)
        four_eyes(Talk(self, transcript, self.strict))
        no_sender(Talk(self, transcript, self.nameless))
        self.assertEqual(self.description.unheard(transcript, is_ours), [])
        self.assertEqual(compared(transcript, RECORDED), "")


if __name__ == "__main__":
    unittest.main()
