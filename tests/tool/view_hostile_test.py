#!/usr/bin/env python3
# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""juxta view among those who mean it no good: bad requests, other sites, oversized and broken frames, half-open
connections, readers that do not read. Afterwards the engine still ticks, memory is what it was, and a page is served.

Usage: view_hostile_test.py JUXTA [CONNECTIONS]
"""
import contextlib
import json
import os
import random
import socket
import struct
import sys
import time
import unittest

from view_client import Server, WebSocket

JUXTA = sys.argv.pop(1)
CONNECTIONS = int(sys.argv.pop(1)) if len(sys.argv) > 1 and sys.argv[1].isdigit() else 500
LOCAL = "127.0.0.1"


def raw(port, data, wait=False):
    """Sends bytes and, if it should, reads what comes back."""
    with contextlib.suppress(OSError), socket.create_connection((LOCAL, port), timeout=2) as connection:
        connection.sendall(data)
        return connection.recv(4096) if wait else b""
    return b""


def bad_request(port, numbers):
    host = f"Host: {LOCAL}:{port}\r\n"
    kinds = [
        os.urandom(numbers.randrange(1, 3000)),
        b"GET / HTTP/1.1\r\n" + b"A: " + b"x" * 20_000 + b"\r\n\r\n",
        f"POST /api/top HTTP/1.1\r\n{host}Content-Type: application/json\r\nContent-Length: 99999999\r\n\r\n".encode(),
        f"POST /api/top HTTP/1.1\r\n{host}Content-Type: application/json\r\nContent-Length: 5\r\n\r\n{{[[[".encode(),
        f"POST /api/set HTTP/1.1\r\n{host}Content-Type: application/json\r\nContent-Length: 60000\r\n\r\n".encode()
        + b"[" * 60_000,
        f"GET /{'../' * 50}etc/passwd HTTP/1.1\r\n{host}\r\n".encode(),
        f"GET /api/info HTTP/1.1\r\n{host}Host: elsewhere\r\n\r\n".encode(),
        b"GET /api/info HTTP/1.1\r\nHost: evil.example\r\n\r\n",
        f"POST /api/restart HTTP/1.1\r\n{host}Origin: http://evil.example\r\nContent-Length: 2\r\n\r\n{{}}".encode(),
        f"POST /api/pause HTTP/1.1\r\n{host}Transfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFF\r\n".encode(),
    ]
    raw(port, numbers.choice(kinds), wait=numbers.random() < 0.5)


NAMES = ["info", "status", "play", "step", "speed", "set", "restart", "seek", "hash", "history", "pick", "select", "selected",
         "entity", "overlay", "shapes", "curves", "view", "top"]
FIELDS = ["steps", "steps_per_second", "name", "value", "seed", "parameters", "step", "from", "matrix", "at", "within", "polygon",
          "lo", "hi", "limit", "group", "thing", "most", "triangles", "report", "rect", "keep", "heat"]


def junk(numbers):
    """A value of any kind, for a field of any name."""
    return numbers.choice([None, True, -1, 0, 1, 7, 2**31, 2**53 + 1, 2**64, 1e308, -1e-320, "", "density", "agents", "0", "x" * 300,
                           [], {}, [0] * 3, [1e308] * 3, [0.5] * 16, [None] * 16, [[0, 0], [1, 0], [0, 1]], {"agents": 50},
                           {"agents": "many"}, [[]] * 50])


def bad_socket(port, numbers):
    with contextlib.suppress(OSError, ConnectionError, IndexError, ValueError):
        with WebSocket(port, timeout=2) as page:
            kind = numbers.randrange(9)
            if kind == 0:
                page.send_raw(b"x" * 100, length=1 << 40)
            elif kind == 1:
                page.send_raw(b"x" * 70_000)
            elif kind == 2:
                page.socket.sendall(os.urandom(500))
            elif kind == 3:
                page.send_raw(os.urandom(50), opcode=2)
            elif kind == 4:
                page.say(watch={"matrix": [1e400] * 16, "rate": -5})
            elif kind == 5:
                for _ in range(100):  # asks and never reads
                    page.say(id=1, ask="select", lo=[-1e9] * 3, hi=[1e9] * 3, limit=10_000)
            elif kind == 6:
                page.say(watch={"colour": ["nose"] * 200, "most": 2**63})
                page.say(got=2**31)
            elif kind == 7:
                for i in range(10):
                    page.say(id=i, ask=numbers.choice(NAMES),
                             **{name: junk(numbers) for name in numbers.sample(FIELDS, numbers.randrange(6))})
                page.say(id=10, ask="speed", steps_per_second=60)  # a world that stands still has no news for the others
                page.say(id=11, ask="play")
            else:
                page.send_raw(b'{"id":1,"ask":"step","steps":')
            page.hear()


class HostileTest(unittest.TestCase):
    def test_all_of_them(self):
        numbers = random.Random(3)
        with Server(JUXTA, "flock", "--agents", 2000) as server:
            server.ask("select", lo=[-1e9] * 3, hi=[1e9] * 3)
            before = None
            half_open = []
            for i in range(CONNECTIONS):
                if i == CONNECTIONS // 4:
                    before = server.memory()
                kind = numbers.randrange(3)
                if kind == 0:
                    bad_request(server.port, numbers)
                elif kind == 1:
                    bad_socket(server.port, numbers)
                else:
                    with contextlib.suppress(OSError):
                        half_open.append(socket.create_connection((LOCAL, server.port), timeout=2))
                        half_open[-1].sendall(b"GET / HT")
                if len(half_open) > 60:
                    half_open.pop(0).close()
            for connection in half_open:
                connection.close()
            self.assertIsNone(server.process.poll())
            self.assertLess(server.memory(), before + (24 << 20))
            server.ask("speed", steps_per_second=60)
            step = server.ask("play")["step"]
            time.sleep(0.3)
            self.assertGreater(server.ask("status")["step"], step)

    def test_other_sites_are_refused(self):
        with Server(JUXTA, "flock", "--agents", 10) as server:
            port = server.port
            good = f"http://{LOCAL}:{port}"
            self.assertEqual(server.request("GET", "/api/info", Origin=good)[0], 200)
            self.assertEqual(server.request("GET", "/api/info", Host=f"localhost:{port}")[0], 200)
            for headers in ({"Host": "evil.example"}, {"Host": f"evil.example:{port}"}, {"Host": LOCAL},
                            {"Origin": "http://evil.example"}, {"Origin": "null"}, {"Origin": f"http://{LOCAL}:1"},
                            {"Origin": f"https://{LOCAL}:{port}"}):
                self.assertEqual(server.request("GET", "/api/info", **headers)[0], 403, headers)
            for origin in ("http://evil.example", "null"):
                with self.assertRaises((ConnectionError, AssertionError)):
                    with WebSocket(port, origin=origin) as page:
                        self.assertEqual(page.status, 101)
            self.assertEqual(server.request("POST", "/api/pause", "{}", Content_Type="text/plain")[0], 415)
            self.assertEqual(server.request("DELETE", "/api/info")[0], 405)
            self.assertEqual(server.request("GET", "/../../etc/passwd")[0], 404)
            status, headers, _ = server.request("GET", "/nothing")
            self.assertEqual(status, 404)
            self.assertIn("default-src 'self'", headers["Content-Security-Policy"])
            self.assertIn(b"413", raw(port, b"GET / HTTP/1.1\r\nHost: x\r\nA: " + b"x" * 20_000 + b"\r\n\r\n", wait=True))

    def test_a_token(self):
        with Server(JUXTA, "flock", "--agents", 10, "--token", "abc-123") as server:
            self.assertTrue(server.url.endswith("/?token=abc-123"), server.url)
            self.assertEqual(server.request("GET", "/api/info")[0], 403)
            for wrong in ("", "abc-12", "abc-1234", "ABC-123", "abc-123abc-123"):
                self.assertEqual(server.request("GET", f"/api/info?token={wrong}")[0], 403, wrong)
            with WebSocket(server.port) as page:
                self.assertEqual(page.status, 403)
            self.assertNotEqual(server.request("GET", "/main.js", Accept_Encoding="gzip")[0], 403)
            self.assertEqual(server.request("GET", "/api/info?token=abc-123")[0], 200)
            self.assertEqual(server.request("GET", "/api/info", Authorization="Bearer abc-123")[0], 200)
            with WebSocket(server.port, "/ws?token=abc-123") as page:
                self.assertEqual(page.ask("status")["answer"]["clients"], 1)

    def test_a_reader_that_does_not_read(self):
        """It costs a frame or two of memory, and no other page notices."""
        with Server(JUXTA, "flock", "--agents", 100_000) as server:
            with WebSocket(server.port) as deaf, WebSocket(server.port) as page:
                page.say(watch={"rate": 60})
                page.frame()
                before = server.memory()
                deaf.say(watch={"rate": 60})
                for _ in range(40):
                    deaf.say(id=1, ask="select", lo=[-1e9] * 3, hi=[1e9] * 3, limit=10_000)
                for i in range(100):
                    deaf.say(got=i)
                begin = time.monotonic()
                frames = 0
                while time.monotonic() - begin < 2:
                    page.frame()
                    frames += 1
                self.assertGreater(frames, 10)
                self.assertLess(server.memory(), before + (96 << 20))

    def test_many_connections(self):
        """Those beyond the limit are turned away; when they are gone, others get in."""
        with Server(JUXTA, "flock", "--agents", 10) as server:
            pages = []
            with contextlib.suppress(OSError):
                for _ in range(200):
                    pages.append(WebSocket(server.port, timeout=5))
            self.assertLessEqual(len(pages), 128)
            self.assertGreaterEqual(len(pages), 100)
            for page in pages:
                page.socket.close()
            time.sleep(0.2)
            self.assertEqual(server.ask("info")["kind"], "world")

    def test_questions_of_those_who_left_wait_for_nobody(self):
        """A hundred pages ask for all they may and leave: who comes next does not wait for their answers."""
        with Server(JUXTA, "flock", "--agents", 100_000) as server:
            for _ in range(100):
                with WebSocket(server.port) as page:
                    for i in range(16):
                        page.say(id=i, ask="select", lo=[-1e9] * 3, hi=[1e9] * 3, limit=10_000)
            begin = time.monotonic()
            self.assertEqual(server.ask("info")["kind"], "world")
            self.assertLess(time.monotonic() - begin, 5)

    def test_answers_come_in_order(self):
        with Server(JUXTA, "flock", "--agents", 10, "--paused") as server, WebSocket(server.port) as page:
            for i in range(200):
                page.say(id=i, ask="step" if i % 3 else "status", steps=1)
            order = []
            while len(order) < 200:
                page.sort_one()
                order += [i for i in page.answers if i not in order]
            self.assertEqual(order, list(range(200)))
            steps = [page.answers[i]["answer"]["step"] for i in order]
            self.assertEqual(steps, sorted(steps))


if __name__ == "__main__":
    unittest.main()
