# SPDX-License-Identifier: Apache-2.0
"""The page of a trace, on 127.0.0.1 alone, as long as a block runs."""

import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

_NOTHING = "<!doctype html><title>Tessera</title><p>No program has run yet.</p>"


class _Handler(BaseHTTPRequestHandler):
    server_version, sys_version = "tessera", ""

    def do_GET(self):
        # A page of another site whose name leads here must not read this one.
        host = self.headers.get("Host", "").rsplit(":", 1)[0]
        if host not in ("127.0.0.1", "localhost"):
            return self.send_error(403, "this is for this machine alone")
        if self.path == "/trace.json":
            return self._send("application/json", self.server.trace.json())
        if self.path != "/":
            return self.send_error(404)
        try:
            self._send("text/html; charset=utf-8", self.server.trace.page() or _NOTHING)
        except Exception as e:  # the block goes on
            self.send_error(500, type(e).__name__, str(e))

    def _send(self, kind, text):
        data = text.encode(errors="replace")
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.send_header("Cache-Control", "no-store")
        self.send_header("X-Content-Type-Options", "nosniff")
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        pass


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    trace = None


@contextmanager
def serve(trace, port):
    """Serves the page of a trace: its address."""
    try:
        server = _Server(("127.0.0.1", port), _Handler)
    except OSError as e:
        raise RuntimeError(f"port {port} of 127.0.0.1 cannot be had: {e.strerror}") from e
    server.trace = trace
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
