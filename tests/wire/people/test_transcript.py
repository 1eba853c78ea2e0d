"""All that the HTTP API of people answers, held against transcript.txt beside this file and against
what the server says of its routes.

MAILROOM_REWRITE_TRANSCRIPT=1 writes that file anew.
"""

import pathlib
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent), str(HERE.parent / "outbox")]

# pylint: disable=wrong-import-position
from description import Description
from outbox_case import OutboxCase
from people_talk import PeopleTalk, whole_conversation
from transcript import HEADERS, Transcript, compared

VOLATILE = {"id": "id", "next": "cursor", "confirm_token": "token"}
# That nothing is known of somebody is no refusal there; what is named is made.
UNANSWERED = [
    "PUT /v1/people/{email} 404", "GET /v1/people/{email}/consent 404",
    "POST /v1/people/{email}/opt-in 404", "GET /v1/people/{email}/preferences 404",
    "POST /v1/people/{email}/unsubscribe 404", "PUT /v1/segments/{id} 404",
    "PUT /v1/topics/{id} 404", "DELETE /v1/people/{email}/topics/{topic} 404"]


def is_ours(path):
    return path.startswith(("/v1/people", "/v1/segments", "/v1/topics")) and not path.endswith(
        ("/events", "/timeline", "/sequences", "/sequences/past"))


class TheTranscript(OutboxCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.description = Description.served_by(cls.server)

    def test_nothing_else_is_answered_than_was_recorded(self):
        transcript = Transcript("The HTTP API of people", VOLATILE, ("mailroomNo",),
                                (*HEADERS, "Content-Disposition"))
        whole_conversation(PeopleTalk(self, transcript, self.server))
        difference = compared(transcript, HERE / "transcript.txt")
        self.assertEqual(self.description.unheard(transcript, is_ours), [])
        self.assertEqual(sorted(self.description.unanswered(transcript, is_ours)),
                         sorted(UNANSWERED))
        self.assertEqual(difference, "")


if __name__ == "__main__":
    unittest.main()
