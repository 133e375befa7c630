"""Starts moto's server. It checks the condition of a write and carries the write out in two steps; real S3 does both at once, so requests
are handled one at a time here. Their bodies are read before, so that a client that is paused holds up no other."""
import io
import threading

import moto.server

run = moto.server.run_simple
turn = threading.Lock()


def one_at_a_time(app):
    def handle(environ, start_response):
        if environ.get("CONTENT_LENGTH"):
            body = environ["wsgi.input"].read(int(environ["CONTENT_LENGTH"]))
            environ["wsgi.input"] = io.BytesIO(body)
        with turn:
            return list(app(environ, start_response))

    return handle


def run_in_turn(host, port, app, **options):
    return run(host, port, one_at_a_time(app), **options)


moto.server.run_simple = run_in_turn
moto.server.main()
