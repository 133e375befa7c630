"""Starts moto's server on a free port of loopback, and prints the port. moto checks the condition of a write and carries the write out in
two steps; real S3 does both at once, so requests are handled one at a time here. Their bodies are read before, so that a client that is
paused holds up no other."""
import io
import threading

import moto.server
from werkzeug.serving import make_server

turn = threading.Lock()


def one_at_a_time(app):
    def handle(environ, start_response):
        if environ.get("CONTENT_LENGTH"):
            body = environ["wsgi.input"].read(int(environ["CONTENT_LENGTH"]))
            environ["wsgi.input"] = io.BytesIO(body)
        with turn:
            return list(app(environ, start_response))

    return handle


def serve(host, port, app, **options):
    server = make_server(host, port, one_at_a_time(app), threaded=True)
    print(server.port, flush=True)
    server.serve_forever()


moto.server.run_simple = serve
moto.server.main()
