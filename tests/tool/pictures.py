# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""Pictures that the command has drawn."""
import struct
import zlib


def read_png(path):
    """Width, height and rows of (r, g, b); 8 bits, not interlaced."""
    data = path.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at, packed = 8, b""
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + length]
        if kind == b"IHDR":
            width, height, depth, colour = struct.unpack(">IIBB", body[:10])
            assert (depth, colour) == (8, 2)
        packed += body if kind == b"IDAT" else b""
        at += 12 + length
    raw, rows, above = zlib.decompress(packed), [], bytes(width * 3)
    for y in range(height):
        kind, *line = raw[y * (width * 3 + 1):(y + 1) * (width * 3 + 1)]
        for i, value in enumerate(line):
            left, up, corner = line[i - 3] if i >= 3 else 0, above[i], above[i - 3] if i >= 3 else 0
            guess = left + up - corner
            nearest = min((left, up, corner), key=lambda x: abs(guess - x))
            line[i] = (value + (0, left, up, (left + up) // 2, nearest)[kind]) % 256
        above = line
        rows.append([tuple(line[3 * x:3 * x + 3]) for x in range(width)])
    return width, height, rows


def read_gif(path):
    """Width, height, how often it plays (0: for ever), and of each frame its delay and rectangle. Refuses what is no GIF."""
    data = path.read_bytes()
    assert data[:6] == b"GIF89a", data[:6]
    width, height, flags = struct.unpack("<HHB", data[6:11])
    assert not flags & 0x80, "no palette for all frames"
    at, loops, frames, delay = 13, None, [], None

    def blocks(at):
        body = b""
        while data[at]:
            body += data[at + 1:at + 1 + data[at]]
            at += 1 + data[at]
        return body, at + 1

    while data[at] != 0x3B:
        if data[at] == 0x21:
            label = data[at + 1]
            body, at = blocks(at + 2)
            if label == 0xF9:
                delay = struct.unpack("<H", body[1:3])[0]
            elif label == 0xFF and body[:11] == b"NETSCAPE2.0":
                loops = struct.unpack("<H", body[12:14])[0]
        else:
            assert data[at] == 0x2C, f"{data[at]:#x} at {at}"
            left, top, wide, high, flags = struct.unpack("<HHHHB", data[at + 1:at + 10])
            assert flags & 0x80 and left + wide <= width and top + high <= height and wide and high
            packed, at = blocks(at + 11 + 3 * (2 << (flags & 7)))
            assert packed
            frames.append((delay, (left, top, wide, high)))
    assert at + 1 == len(data)
    return width, height, loops, frames
