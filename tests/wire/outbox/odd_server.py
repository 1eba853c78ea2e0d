"""A mail server whose TLS is broken, and that counts who is connected at one time."""

import socketserver
import threading
import time

ANSWERS = {"EHLO": "250-odd.example\r\n250 STARTTLS", "HELO": "250 odd.example",
           "MAIL": "250 ok", "RCPT": "250 ok", "DATA": "354 go on", "RSET": "250 ok",
           "QUIT": "221 bye"}


class OddServer(socketserver.ThreadingTCPServer):
    """`seconds` is how long it takes for each message."""

    allow_reuse_address = daemon_threads = True

    def __init__(self, address, seconds=0):
        super().__init__(address, _Session)
        self.seconds, self.lock = seconds, threading.Lock()
        self.messages, self.connected, self.connected_most = [], 0, 0
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def stop(self):
        self.shutdown()
        self.server_close()


class _Session(socketserver.StreamRequestHandler):
    def handle(self):
        server = self.server
        with server.lock:
            server.connected += 1
            server.connected_most = max(server.connected_most, server.connected)
        try:
            self.serve()
        except OSError:
            pass
        finally:
            with server.lock:
                server.connected -= 1

    def say(self, text):
        self.wfile.write(text.encode() + b"\r\n")

    def serve(self):
        self.say("220 odd.example")
        while line := self.rfile.readline():
            verb = line[:4].upper().decode()
            if verb == "STAR":
                self.say("220 go on")
                self.request.recv(4096)
                return  # In the middle of the handshake.
            self.say(ANSWERS.get(verb, "500 what?"))
            if verb == "DATA":
                message = b""
                while not message.endswith(b"\r\n.\r\n"):
                    message += self.rfile.readline()
                time.sleep(self.server.seconds)
                with self.server.lock:
                    self.server.messages.append(message)
                self.say("250 taken")
            if verb == "QUIT":
                return
