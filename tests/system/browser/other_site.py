"""A site of somebody else, which shows a board in a frame."""

from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class OtherSite(ThreadingHTTPServer):
    """A site on another port, and so of another origin. Its one page shows `body`."""

    body = ""

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/"

    def show(self, address: str) -> str:
        """Let its page frame an address, far down. Return the address of the page."""
        return self.show_frame(f"<iframe src='{address}' title='A board' width=640 height=620></iframe>")

    def show_frame(self, frame: str) -> str:
        """Let its page have this markup, far down. Return the address of the page."""
        self.body = (
            "<!DOCTYPE html><html lang=en><title>Another site</title><link rel=icon href='data:,'>"
            "<div style='height:3000px'>Before</div>"
            f"{frame}"
            "<div style='height:3000px'>After</div>"
        )
        return self.url


class Handler(BaseHTTPRequestHandler):
    server: OtherSite

    def do_GET(self) -> None:
        content = self.server.body.encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: object) -> None:
        """Write nothing."""
