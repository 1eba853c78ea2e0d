"""A name server on 127.0.0.1 that knows what a test tells it."""

import socket
import struct
import threading

A, TXT, MX = 1, 16, 15
NO_ERROR, SERVER_FAILURE, NO_SUCH_NAME = 0, 2, 3
TTL_SECONDS = 60


def _encoded(name):
    labels = [label.encode() for label in name.split(".") if label]
    return b"".join(bytes([len(label)]) + label for label in labels) + b"\0"


def a_record(address):
    return A, socket.inet_aton(address)


def mx_record(preference, host):
    """A host of "." is a null MX (RFC 7505)."""
    return MX, struct.pack("!H", preference) + _encoded(host)


class NameServer:
    """`records` by name in lower case. What is not there does not exist; None is a failure."""

    def __init__(self, records):
        self.records = records
        self.asked = []  # (name, type)
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind(("127.0.0.1", 0))
        self.address = f"127.0.0.1:{self.socket.getsockname()[1]}"
        self.thread = threading.Thread(target=self._serve, daemon=True)
        self.thread.start()

    def stop(self):
        # An empty datagram ends the thread.
        self.socket.sendto(b"", self.socket.getsockname())
        self.thread.join()
        self.socket.close()

    def _serve(self):
        while True:
            query, peer = self.socket.recvfrom(4096)
            if not query:
                return
            self.socket.sendto(self._answer(query), peer)

    def _answer(self, query):
        number, = struct.unpack("!H", query[:2])
        labels, at = [], 12
        while query[at]:
            labels.append(query[at + 1:at + 1 + query[at]].decode())
            at += 1 + query[at]
        question = query[12:at + 5]
        wanted, = struct.unpack("!H", query[at + 1:at + 3])
        name = ".".join(labels).lower()
        self.asked.append((name, wanted))
        found = self.records.get(name, ())
        code = NO_ERROR if found else NO_SUCH_NAME
        if found is None:
            code, found = SERVER_FAILURE, ()
        data = [bytes_ for kind, bytes_ in found if kind == wanted]
        answers = b"".join(b"\xc0\x0c" + struct.pack("!HHIH", wanted, 1, TTL_SECONDS, len(bytes_))
                           + bytes_ for bytes_ in data)
        header = struct.pack("!HHHHHH", number, 0x8180 | code, 1, len(data), 0, 0)
        return header + question + answers
