"""nginx with its empty_gif: what a picture costs that nobody takes note of."""
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "outbox"))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "people"))
from processes import stop, undone_on_failure, wait_for_port
from side_postgres import free_port

CONFIGURATION = """
daemon off;
worker_processes auto;
pid {folder}/pid;
error_log {folder}/error.log;
events {{ worker_connections 8192; }}
http {{
    access_log off;
    keepalive_requests 1000000000;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    server {{
        listen 127.0.0.1:{port};
        location /t/o/ {{ empty_gif; }}
    }}
}}
"""


class Nginx:
    name = "nginx empty_gif"

    def __init__(self, folder, _build):
        self.folder = pathlib.Path(folder) / "nginx"
        self.port = free_port()

    def __enter__(self):
        self.folder.mkdir()
        file = self.folder / "nginx.conf"
        file.write_text(CONFIGURATION.format(folder=self.folder, port=self.port))
        self.process = subprocess.Popen(["nginx", "-e", str(self.folder / "error.log"), "-c",
                                         str(file)])
        with undone_on_failure(self):
            wait_for_port(self.port)
        return self

    def __exit__(self, *_):
        stop(self.process)

    def paths(self, mails):
        return (f"/t/o/{mail}" for mail in mails)
