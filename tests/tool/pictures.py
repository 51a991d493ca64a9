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
