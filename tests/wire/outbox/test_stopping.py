"""SIGTERM with mails in hand and callbacks on their way."""

import collections
import http.server
import json
import threading
import time
import unittest

from outbox_case import OutboxCase, OutboxServer, Sink, email

GRACE_SECONDS_MAX = 30  # What docs/failures.md promises.
MAILS = 60


class SlowCallbacks(http.server.ThreadingHTTPServer):
    """Answers 200 after a while; `told` counts by mail."""

    daemon_threads = True

    def __init__(self, seconds):
        super().__init__(("127.0.0.1", 0), _Handler)
        self.seconds, self.told, self.lock = seconds, collections.Counter(), threading.Lock()
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def url(self):
        return f"http://127.0.0.1:{self.server_address[1]}/"


class _Handler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        with self.server.lock:
            self.server.told[json.loads(body)["id"]] += 1
        time.sleep(self.server.seconds)
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


class Stopping(OutboxCase):
    @classmethod
    def setUpClass(cls):
        pass

    def serve(self, sink, callbacks):
        self.server = OutboxServer(
            "--transport", f"smtp://{sink.address}",
            settings={"MAILROOM_OUTBOX_CALLBACK_URL": callbacks.url(),
                      "MAILROOM_OUTBOX_CONNECTIONS": "4",
                      "MAILROOM_OUTBOX_RETRY_FIRST_SECONDS": "60"})
        self.addCleanup(self.server.stop)
        self.server.start()

    def peers(self, callback_seconds, *sink_arguments):
        sink = Sink(*sink_arguments)
        self.addCleanup(sink.stop)
        callbacks = SlowCallbacks(callback_seconds)
        self.addCleanup(callbacks.server_close)
        self.addCleanup(callbacks.shutdown)
        return sink, callbacks

    def stop_in_time(self):
        begin = time.monotonic()
        self.assertEqual(self.server.terminate(), 0)
        self.assertLess(time.monotonic() - begin, GRACE_SECONDS_MAX)

    def acknowledged(self):
        stats = self.ask("GET", "/v1/outbox/stats").json
        return stats["states"]["SENT-ACKNOWLEDGED"]

    def test_nothing_is_lost_and_nothing_comes_twice(self):
        sink, callbacks = self.peers(0.3, "--delay", "end=300ms")
        self.serve(sink, callbacks)
        answer = self.ask("POST", "/v1/emails", {"emails": [email() for _ in range(MAILS)]})
        ids = {result["id"] for result in answer.json["results"]}
        # Some have arrived, some are on their way, some wait; the same for the news of them.
        self.eventually(lambda: len(callbacks.told), lambda count: count >= 3)
        for _ in range(2):
            self.stop_in_time()
            self.server.start()
        self.eventually(self.acknowledged, lambda count: count == MAILS)
        messages = [self.shown(identifier)["message_id"].encode() for identifier in ids]
        received = b"\n".join(sink.received())
        self.assertEqual([received.count(message) for message in messages], [1] * MAILS)
        self.assertEqual(dict(callbacks.told), {identifier: 1 for identifier in ids})

    def test_a_relay_that_never_answers_does_not_hold_it_up(self):
        sink, callbacks = self.peers(0, "--stall", "end")
        self.serve(sink, callbacks)
        identifier = self.post(email())
        self.eventually(lambda: self.shown(identifier)["state"],
                        lambda state: state == "PROCESSING")
        self.eventually(sink.received, bool)
        self.stop_in_time()
        self.server.start()
        mail = self.eventually(lambda: self.shown(identifier), lambda seen: seen["held"])
        self.assertTrue(mail["reason"].startswith("unknown:"), mail["reason"])
        self.assertEqual(len(sink.received()), 1)

    def test_a_callback_that_never_answers_does_not_hold_it_up(self):
        sink, callbacks = self.peers(3600)
        self.serve(sink, callbacks)
        identifier = self.post(email())
        self.eventually(lambda: callbacks.told[identifier], bool)
        self.stop_in_time()
        callbacks.seconds = 0
        self.server.start()
        self.eventually(lambda: self.shown(identifier)["state"],
                        lambda state: state == "SENT-ACKNOWLEDGED")
        self.assertEqual(len(sink.received()), 1)


if __name__ == "__main__":
    unittest.main()
