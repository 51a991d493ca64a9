// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The server's end of a WebSocket (RFC 6455), as much of it as the mock server needs.
import { createHash } from "node:crypto";

const kText = 1,
  kBinary = 2,
  kClose = 8,
  kPing = 9,
  kPong = 10;

/** Answers the handshake. `onText(text)` is told what arrives; `send` takes text or a Buffer. */
export function accept(request, socket, onText, onClose) {
  const key = createHash("sha1").update(request.headers["sec-websocket-key"] + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11");
  socket.write(
    "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n" +
      `Sec-WebSocket-Accept: ${key.digest("base64")}\r\n\r\n`,
  );
  socket.setNoDelay(true);
  const sendFrame = (kind, body) => socket.writable && socket.write(Buffer.concat([head(kind, body.length), body]));
  let bytes = Buffer.alloc(0);
  socket.on("data", (more) => {
    bytes = Buffer.concat([bytes, more]);
    for (let frame = read(bytes); frame; frame = read(bytes)) {
      bytes = bytes.subarray(frame.length);
      if (frame.kind === kText) onText(frame.body.toString());
      if (frame.kind === kPing) sendFrame(kPong, frame.body);
      if (frame.kind === kClose) socket.end();
    }
  });
  socket.on("close", onClose);
  socket.on("error", () => {});
  return {
    send: (data) => (typeof data === "string" ? sendFrame(kText, Buffer.from(data)) : sendFrame(kBinary, data)),
    waiting: () => socket.writableLength,
  };
}

function head(kind, length) {
  if (length < 126) return Buffer.from([0x80 | kind, length]);
  const bytes = Buffer.alloc(length < 65536 ? 4 : 10);
  bytes[0] = 0x80 | kind;
  if (length < 65536) {
    bytes[1] = 126;
    bytes.writeUInt16BE(length, 2);
  } else {
    bytes[1] = 127;
    bytes.writeBigUInt64BE(BigInt(length), 2);
  }
  return bytes;
}

/** The first frame, or null when it has not arrived in full. Clients' frames are masked. */
function read(bytes) {
  if (bytes.length < 6) return null;
  let length = bytes[1] & 127,
    at = 2;
  if (length === 126) {
    length = bytes.readUInt16BE(2);
    at = 4;
  } else if (length === 127) {
    if (bytes.length < 14) return null;
    length = Number(bytes.readBigUInt64BE(2));
    at = 10;
  }
  if (bytes.length < at + 4 + length) return null;
  const mask = bytes.subarray(at, at + 4),
    body = Buffer.from(bytes.subarray(at + 4, at + 4 + length));
  for (let i = 0; i < length; ++i) body[i] ^= mask[i & 3];
  return { kind: bytes[0] & 15, body, length: at + 4 + length };
}
