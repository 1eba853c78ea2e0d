"""Many large mails at once take no more memory than is documented."""

import base64
import concurrent.futures
import os
import pathlib
import time
import unittest

from outbox_case import OutboxCase, Sink, email

MIB = 1024 * 1024
POSTS = 40
POST_BYTES = 20 * MIB
REQUEST_MEMORY_MB, CACHE_MB = 64, 32
# docs/configuration.md: the bodies in hand, what is made of them (six times as much), and the
# tables' cache; the rest is what an idle server takes, connections and what the allocator keeps.
BUDGET_MB = 7 * REQUEST_MEMORY_MB + CACHE_MB + 128
PATIENCE_SECONDS = 240


class Memory(OutboxCase):
    @classmethod
    def setUpClass(cls):
        cls.sink = Sink()
        cls.addClassCleanup(cls.sink.stop)
        cls.arguments = ("--transport", f"smtp://{cls.sink.address}")
        cls.settings = {"MAILROOM_SERVER_REQUEST_MEMORY_MB": str(REQUEST_MEMORY_MB),
                        "MAILROOM_STORE_CACHE_MB": str(CACHE_MB)}
        super().setUpClass()

    def most_memory_mb(self):
        """Resident, at any time until now."""
        status = pathlib.Path(f"/proc/{self.server.process.pid}/status").read_text()
        line, = [line for line in status.splitlines() if line.startswith("VmHWM:")]
        return int(line.split()[1]) / 1024

    def post_until_accepted(self, body):
        deadline = time.monotonic() + PATIENCE_SECONDS
        refused = 0
        while time.monotonic() < deadline:
            try:
                answer = self.ask("POST", "/v1/emails", body)
            except OSError:  # Refused while we were still writing.
                answer = None
            if answer is not None and answer.status == 202:
                return answer.json["id"], refused
            if answer is not None:
                self.assertEqual(answer.status, 503, answer.body)
                self.assertTrue(answer.headers["Retry-After"])
            refused += 1
            time.sleep(0.2)
        raise AssertionError("it was never accepted")

    def test_forty_posts_of_twenty_megabytes_at_once_stay_within_the_budget(self):
        content = base64.b64encode(os.urandom(POST_BYTES * 3 // 4 - 4096)).decode()
        mail = email(attachments=[{"filename": "a.bin", "content": content}])
        with concurrent.futures.ThreadPoolExecutor(POSTS) as clients:
            done = list(clients.map(self.post_until_accepted, [mail] * POSTS))
        self.assertEqual(len({identifier for identifier, _ in done}), POSTS)
        self.assertGreater(sum(refused for _, refused in done), 0, "there was room for all")
        for identifier, _ in done:
            sent = self.eventually(lambda: self.shown(identifier)["state"],
                                   lambda state: state == "SENT")
            self.assertEqual(sent, "SENT")
        self.assertLess(self.most_memory_mb(), BUDGET_MB)


if __name__ == "__main__":
    unittest.main()
