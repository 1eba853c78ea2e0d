"""All that the HTTP API of the outbox and of keys answers, held against transcript.txt beside this
file and against what the server says of its routes.

MAILROOM_REWRITE_TRANSCRIPT=1 writes that file anew.
"""

import pathlib
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

# pylint: disable=wrong-import-position
from conversation import Conversation, captured, whole_conversation
from description import Description
from outbox_case import OutboxCase, OutboxServer, Sink
from transcript import HEADERS, Transcript, compared

RECORDED = HERE / "transcript.txt"
VOLATILE = {"id": "id", "key": "secret key", "secret": "secret", "last_four": "end of a key",
            "next": "cursor", "place": "place", "directory": "directory"}
BLURRED = ("age_seconds", "accepted_per_second", "sent_per_second", "failed_per_second",
           "transcript", "message_id", "since", "next_attempt_at")
SHOWN_HEADERS = ("Content-Disposition", "Content-Security-Policy")


def is_ours(path):
    """Neither of a program that has a transcript of its own, nor of the description."""
    others = ("/v1/reminders", "/v1/docs", "/v1/openapi.json", "/v1/people", "/v1/segments",
              "/v1/topics", "/v1/engagement", "/v1/webhooks", "/v1/notifications", "/v1/sequences",
              "/v1/templates")
    return path.startswith("/v1/") and not path.startswith(others)


class TheTranscript(OutboxCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        sink = Sink("--obey-addresses", "--drop", "end@held.example.org")
        cls.addClassCleanup(sink.stop)
        cls.arguments = ("--transport", f"smtp://{sink.address}")
        super().setUpClass()
        cls.description = Description.served_by(cls.server)
        cls.keeping = OutboxServer().start()
        cls.addClassCleanup(cls.keeping.stop)

    def test_nothing_else_is_answered_than_was_recorded(self):
        transcript = Transcript("The HTTP API of the outbox and of keys", VOLATILE, BLURRED,
                                (*HEADERS, *SHOWN_HEADERS))
        whole_conversation(Conversation(self, transcript, self.server))
        captured(Conversation(self, transcript, self.keeping))
        self.assertEqual(self.description.unheard(transcript, is_ours), [])
        self.assertEqual(compared(transcript, RECORDED), "")


if __name__ == "__main__":
    unittest.main()
