"""Two implementations of DKIM check each other: ours, and python3-dkim."""

import base64
import os
import subprocess
import tempfile
import unittest

import dkim

from odd_messages import MESSAGES

TOOL = os.environ["DKIM_TOOL"]
TIME = 1_700_000_000
DOMAIN = "example.com"
ED25519_PREFIX = bytes.fromhex("302e020100300506032b657004220420")  # PKCS#8, then the seed.
ED25519_SEED = bytes(range(32))


def tool(*arguments, message=b""):
    done = subprocess.run([TOOL, *arguments], input=message, capture_output=True, check=False)
    if done.returncode != 0:
        raise AssertionError(done.stderr.decode())
    return done.stdout


def openssl(*arguments):
    return subprocess.run(["openssl", *arguments], capture_output=True, check=True).stdout


class Keys:
    """One key of each kind, as files for our tool and as bytes for python3-dkim."""

    def __init__(self, folder):
        self.paths = {"rsa": f"{folder}/rsa.pem", "ed25519": f"{folder}/ed25519.pem"}
        openssl("genrsa", "-traditional", "-out", self.paths["rsa"], "2048")
        der = base64.b64encode(ED25519_PREFIX + ED25519_SEED).decode()
        with open(self.paths["ed25519"], "w", encoding="ascii") as file:
            file.write(f"-----BEGIN PRIVATE KEY-----\n{der}\n-----END PRIVATE KEY-----\n")
        with open(self.paths["rsa"], "rb") as file:
            self.private = {"rsa": file.read(), "ed25519": base64.b64encode(ED25519_SEED)}
        self.records = {
            kind: tool("record", path).strip() for kind, path in self.paths.items()
        }


class DkimTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.keys = Keys(cls.folder.name)

    def look_up(self, name, timeout=5):
        name = (name if isinstance(name, str) else name.decode()).rstrip(".")
        return self.keys.records.get(name.removesuffix(f"._domainkey.{DOMAIN}"))

    def we_sign(self, message):
        pairs = [part for kind, path in self.keys.paths.items() for part in (kind, path)]
        return tool("sign", str(TIME), DOMAIN, *pairs, message=message) + message

    def they_sign(self, message, kind, forms, **options):
        return dkim.sign(
            message,
            kind.encode(),
            DOMAIN.encode(),
            self.keys.private[kind],
            canonicalize=forms,
            signature_algorithm=f"{kind}-sha256".encode(),
            **options,
        ) + message

    def they_verify(self, message, index):
        try:
            return dkim.DKIM(message).verify(idx=index, dnsfunc=self.look_up)
        except dkim.ValidationError:  # A body that was changed.
            return False

    def we_verify(self, message, kind):
        name = f"{kind}._domainkey.{DOMAIN}"
        # python3-dkim writes the real time into its signatures.
        answer = tool("verify", "4000000000", name, self.keys.records[kind], message=message)
        return [line.split("\t") for line in answer.decode().splitlines()]

    def test_they_accept_what_we_sign(self):
        for name, message in MESSAGES.items():
            signed = self.we_sign(message)
            for index, kind in enumerate(("rsa", "ed25519")):
                with self.subTest(name, kind=kind):
                    self.assertTrue(self.they_verify(signed, index))

    def test_they_see_what_was_changed_in_what_we_signed(self):
        signed = self.we_sign(MESSAGES["plain"])
        changes = {
            "body": signed.replace(b"Hello Bob", b"Hello Rob"),
            "subject": signed.replace(b"Subject: hello", b"Subject: bye"),
            "second subject": b"Subject: x\r\n" + signed,
            "added Cc": b"Cc: x@example.org\r\n" + signed,
        }
        for name, changed in changes.items():
            for index in range(2):
                with self.subTest(name, index=index):
                    self.assertFalse(self.they_verify(changed, index))

    def test_we_accept_what_they_sign(self):
        for name, message in MESSAGES.items():
            for kind in ("rsa", "ed25519"):
                for header in (b"simple", b"relaxed"):
                    for body in (b"simple", b"relaxed"):
                        with self.subTest(name, kind=kind, header=header, body=body):
                            signed = self.they_sign(message, kind, (header, body))
                            self.assertEqual(
                                self.we_verify(signed, kind), [["pass", "whole", ""]]
                            )

    def test_we_see_what_was_changed_in_what_they_signed(self):
        for body in (b"simple", b"relaxed"):
            signed = self.they_sign(MESSAGES["plain"], "rsa", (b"simple", body))
            with self.subTest(body=body):
                changed = signed.replace(b"Hello Bob", b"Hello Rob")
                self.assertEqual(self.we_verify(changed, "rsa")[0][2], "the body was changed")
                changed = signed.replace(b"Subject: hello", b"Subject:  hello")
                self.assertEqual(
                    self.we_verify(changed, "rsa")[0][2],
                    "the signature does not match the header",
                )

    def test_a_signed_length_lets_others_add_to_the_body_and_we_say_so(self):
        for body in (b"simple", b"relaxed"):
            signed = self.they_sign(MESSAGES["plain"], "rsa", (b"relaxed", body), length=True)
            with self.subTest(body=body):
                self.assertIn(b"l=", signed)
                self.assertEqual(self.we_verify(signed, "rsa"), [["pass", "whole", ""]])
                longer = signed + b"Buy this\r\n"
                self.assertEqual(self.we_verify(longer, "rsa"), [["pass", "unsigned-end", ""]])


if __name__ == "__main__":
    unittest.main()
