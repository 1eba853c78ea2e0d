"""Where Postfix's test programs are, and a port for them."""
import shutil
import socket
import sys

SESSIONS = 16
MESSAGE_BYTES = 10240


def tool(name):
    """Debian puts Postfix's programs where only root's path has them."""
    found = shutil.which(name) or shutil.which(name, path="/usr/sbin")
    if not found:
        sys.exit(f"{name} is missing: it is in the Debian package postfix")
    return found


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
