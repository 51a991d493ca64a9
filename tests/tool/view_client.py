# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""What the tests of juxta view share: the command as a server, and a client of its HTTP and WebSocket."""
import base64
import contextlib
import http.client
import json
import os
import socket
import struct
import subprocess


class Server:
    """juxta view, with a port that is free."""

    def __init__(self, juxta, *words):
        self.process = subprocess.Popen([juxta, "view", *map(str, words), "--port", "0", "--no-browser"],
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.url = self.process.stdout.readline().strip()
        assert self.url.startswith("http://"), self.process.communicate()
        self.port = int(self.url.split(":")[2].split("/")[0])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()
        self.process.stderr.close()

    def request(self, method, target, body=None, **headers):
        """Status, headers and body of any request."""
        with contextlib.closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)) as connection:
            connection.request(method, target, body=body,
                               headers={name.replace("_", "-"): value for name, value in headers.items()})
            reply = connection.getresponse()
            return reply.status, dict(reply.getheaders()), reply.read()

    def ask(self, name, /, **fields):
        """The answer to a question; what it says when it has none."""
        status, _, body = self.request("POST", f"/api/{name}", json.dumps(fields), Content_Type="application/json")
        answer = json.loads(body)
        assert (status == 200) == ("error" not in answer), (status, answer)
        return answer

    def memory(self):
        """Bytes that the process has in memory."""
        with open(f"/proc/{self.process.pid}/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


class WebSocket:
    """As little of RFC 6455 as these tests need."""

    def __init__(self, port, target="/ws", origin=None, timeout=30):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=timeout)
        lines = [f"GET {target} HTTP/1.1", f"Host: 127.0.0.1:{port}", "Upgrade: websocket", "Connection: Upgrade",
                 "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: " + base64.b64encode(os.urandom(16)).decode()]
        if origin:
            lines.append(f"Origin: {origin}")
        self.socket.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
        self.left = b""
        while b"\r\n\r\n" not in self.left:
            part = self.socket.recv(65536)
            if not part:
                raise ConnectionError("closed before an answer")
            self.left += part
        head, self.left = self.left.split(b"\r\n\r\n", 1)
        self.status = int(head.split(b" ")[1])
        self.number = 0
        self.frames, self.news, self.answers = [], [], {}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def send_raw(self, payload, opcode=1, length=None):
        mask = os.urandom(4)
        size = len(payload) if length is None else length
        head = bytes([0x80 | opcode])
        if size < 126:
            head += bytes([0x80 | size])
        elif size < 65536:
            head += bytes([0x80 | 126]) + struct.pack(">H", size)
        else:
            head += bytes([0x80 | 127]) + struct.pack(">Q", size)
        self.socket.sendall(head + mask + bytes(b ^ mask[i % 4] for i, b in enumerate(payload)))

    def say(self, **message):
        self.send_raw(json.dumps(message).encode())

    def _take(self, count):
        while len(self.left) < count:
            part = self.socket.recv(1 << 20)
            if not part:
                raise ConnectionError("closed")
            self.left += part
        taken, self.left = self.left[:count], self.left[count:]
        return taken

    def hear(self):
        """The next message: (opcode, bytes)."""
        first, size = self._take(2)
        if size == 126:
            size = struct.unpack(">H", self._take(2))[0]
        elif size == 127:
            size = struct.unpack(">Q", self._take(8))[0]
        return first & 15, self._take(size)

    def sort_one(self):
        """Puts the next message where it belongs."""
        opcode, payload = self.hear()
        if opcode == 2:
            self.frames.append(Frame(payload))
            return
        if opcode != 1:
            raise ConnectionError(f"closed: {payload!r}")
        message = json.loads(payload)
        if "event" in message:
            self.news.append(message)
        else:
            self.answers[message["id"]] = message

    def ask(self, name, /, **fields):
        self.number += 1
        self.say(id=self.number, ask=name, **fields)
        while self.number not in self.answers:
            self.sort_one()
        return self.answers.pop(self.number)

    def frame(self):
        """The next frame; says that it was got."""
        while not self.frames:
            self.sort_one()
        frame = self.frames.pop(0)
        self.say(got=frame.number)
        return frame


class Frame:
    """A frame, decoded as docs/formats/view.md says."""

    def __init__(self, data):
        magic, self.number, self.step, count, self.skipped = struct.unpack_from("<4sIqII", data)
        assert magic == b"JXF1"
        self.groups = [self.group(data, 24 + 64 * g) for g in range(count)]
        self.size = len(data)

    @staticmethod
    def group(data, head):
        index, total, sent, flags = struct.unpack_from("<4I", data, head)
        origin = struct.unpack_from("<3f", data, head + 16)
        step, _, lo, hi = struct.unpack_from("<4f", data, head + 28)
        at, in_view = struct.unpack_from("<2I", data, head + 44)
        arrays = {}
        for name, letter, each, there in [("x", "H", 1, 1), ("y", "H", 1, 1), ("z", "H", 1, flags & 1),
                                          ("colour", "B", 1, flags & 2), ("heading", "b", 4, flags & 4),
                                          ("size", "B", 1, flags & 8)]:
            if there:
                at = (at + 3) // 4 * 4
                arrays[name] = struct.unpack_from(f"<{each * sent}{letter}", data, at)
                at += each * sent * struct.calcsize(letter)
        places = [[origin[axis] + step * q for q in arrays.get(name, ())] for axis, name in enumerate("xyz")]
        return {"index": index, "total": total, "sent": sent, "in_view": in_view, "places": places, "step": step,
                "lo": lo, "hi": hi, **{name: arrays.get(name) for name in ("colour", "heading", "size")}}
