"""All that is answered about what became of mails: to keys, to people and to providers. It is held
against transcript.txt beside this file and against what the server says of its routes.

MAILROOM_REWRITE_TRANSCRIPT=1 writes that file anew.
"""

import http.server
import pathlib
import sys
import tempfile
import threading
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent), str(HERE.parent / "outbox")]

# pylint: disable=wrong-import-position
from description import Description
from engagement_talk import (MAILGUN_KEY, POSTMARK_PASSWORD, SES_TOPIC, EngagementTalk, Signer,
                             nobody_to_tell, whole_conversation)
from outbox_case import OutboxCase, OutboxServer, Sink
from transcript import HEADERS, Transcript, compared, wait_until_the_day_is_long_enough

VOLATILE = {"next": "cursor", "eventId": "event", "sesMessageId": "message",
            "messageId": "message", "secret": "secret"}
BLURRED = ("since", "attempts")
SHOWN_HEADERS = ("Location", "Content-Language", "Content-Security-Policy", "Referrer-Policy",
                 "X-Robots-Tag")
UNANSWERED = [
    # A wrong token is 400, on a page; and any name may be given to a webhook.
    "GET /confirm/{token} 404", "POST /confirm/{token} 404", "GET /preferences/{token} 404",
    "POST /preferences/{token} 404", "GET /u/{token} 404", "POST /u/{token} 404",
    "PUT /v1/webhooks/{id} 404",
    # Of whom nothing is known nothing happened.
    "GET /v1/people/{email}/events 404", "GET /v1/people/{email}/timeline 404",
    # Of two who ask in one moment.
    "POST /v1/webhooks/{id}/replay 409",
    # Whatever else is asked of a link, by mail programs for one, is not looked at.
    "GET /t/c/{token} 400", "GET /t/o/{token} 400",
    # Amazon's certificate would have to be fetched from Amazon.
    "POST /v1/notifications/ses 200",
]


def is_ours(path):
    if path.startswith("/v1/people/"):
        return path.endswith(("/events", "/timeline"))
    return path.startswith(("/v1/engagement", "/v1/webhooks", "/v1/notifications", "/t/", "/u/",
                            "/unsubscribe", "/preferences/", "/confirm/"))


class Receiver(http.server.BaseHTTPRequestHandler):
    """Takes what comes to /good, and nothing else."""

    def do_POST(self):  # pylint: disable=invalid-name
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(204 if self.path == "/good" else 500)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):  # pylint: disable=arguments-differ
        pass


class TheTranscript(OutboxCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        wait_until_the_day_is_long_enough()
        sink = Sink("--obey-addresses")
        cls.addClassCleanup(sink.stop)
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.signer = Signer(pathlib.Path(folder.name))
        receiver = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
        threading.Thread(target=receiver.serve_forever, daemon=True).start()
        cls.addClassCleanup(receiver.server_close)
        cls.addClassCleanup(receiver.shutdown)
        cls.receiver = f"http://127.0.0.1:{receiver.server_port}"
        cls.arguments = ("--transport", f"smtp://{sink.address}")
        cls.settings = {
            "MAILROOM_NET_ALLOW": "127.0.0.0/8", "MAILROOM_TRACKING_URL": "https://t.example",
            "MAILROOM_TRACKING_UNSUBSCRIBE_SECRETS": "test-secret-key",
            "MAILROOM_PAGES_COMPANY": "Example", "MAILROOM_NOTIFICATIONS_SES_TOPICS": SES_TOPIC,
            "MAILROOM_NOTIFICATIONS_MAILGUN_KEY": MAILGUN_KEY,
            "MAILROOM_NOTIFICATIONS_POSTMARK_PASSWORD": POSTMARK_PASSWORD,
            "MAILROOM_NOTIFICATIONS_SENDGRID_KEY": cls.signer.public}
        super().setUpClass()
        cls.description = Description.served_by(cls.server)
        cls.deaf = OutboxServer().start()
        cls.addClassCleanup(cls.deaf.stop)

    def test_nothing_else_is_answered_than_was_recorded(self):
        transcript = Transcript("What is told of mails, and what people do with them", VOLATILE,
                                BLURRED, (*HEADERS, *SHOWN_HEADERS))
        talk = EngagementTalk(self, transcript, self.server)
        whole_conversation(talk, self.receiver, self.signer)
        nobody_to_tell(EngagementTalk(self, transcript, self.deaf))
        difference = compared(transcript, HERE / "transcript.txt")
        self.assertEqual(self.description.unheard(transcript, is_ours), [])
        self.assertEqual(sorted(self.description.unanswered(transcript, is_ours)),
                         sorted(UNANSWERED))
        self.assertEqual(difference, "")


if __name__ == "__main__":
    unittest.main()
