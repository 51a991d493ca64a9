// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// node mock_server.mjs FOLDER [world | flock | recording | map | sweep] [PORT] [THINGS]: speaks as `juxta view`
// does about an invented world, map or sweep, and serves the pages that build.mjs wrote into FOLDER. A tool for
// those who change the pages.
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { encodeFrame } from "./mock_frame.mjs";
import { makeMap } from "./mock_map.mjs";
import { accept } from "./mock_socket.mjs";
import { makeSweep } from "./mock_sweep.mjs";
import { makeWorld } from "./mock_world.mjs";

const [folder = "out", kind = "world", port = "8080", things] = process.argv.slice(2);
const still = { map: () => makeMap(Number(things ?? 50_000)), sweep: makeSweep }[kind];
const howMany = { flock: 2000, recording: 2000 }[kind] ?? 20_000;
const world = still ? null : makeWorld(kind, Number(things ?? howMany));
const questions = world ? world.questions : still();
const files = {
  "/": ["index.html", "text/html; charset=utf-8"],
  "/style.css": ["style.css", "text/css"],
  "/main.js": ["main.js", "text/javascript"],
  "/world.js": ["world.js", "text/javascript"],
  "/map.js": ["map.js", "text/javascript"],
  "/sweep.js": ["sweep.js", "text/javascript"],
  "/icon.svg": ["icon.svg", "image/svg+xml"],
};
const policy = "default-src 'self'; connect-src 'self' ws: ; img-src 'self' data: blob:; style-src 'self'";
const clients = new Set();

function answer(name, fields) {
  if (!Object.hasOwn(questions, name)) throw new Error(`there is no question '${name}'`);
  return questions[name](fields);
}

const server = createServer(async (request, response) => {
  const path = new URL(request.url, "http://localhost").pathname;
  let body = "";
  for await (const part of request) body += part;
  const reply = (status, type, text) => {
    response.writeHead(status, {
      "Content-Type": type,
      "Content-Security-Policy": policy,
      "Cache-Control": "no-store",
    });
    response.end(text);
  };
  try {
    if (path.startsWith("/api/")) {
      reply(200, "application/json", JSON.stringify(answer(path.slice(5), JSON.parse(body || "{}"))));
    } else if (files[path]) {
      reply(200, files[path][1], await readFile(join(folder, files[path][0])));
    } else {
      reply(404, "text/plain", "not here");
    }
  } catch (why) {
    reply(400, "application/json", JSON.stringify({ error: why.message }));
  }
});

server.on("upgrade", (request, socket) => {
  const client = { watch: null, underWay: 0, number: 0, last: -1, due: 0 };
  client.socket = accept(
    request,
    socket,
    (text) => receive(client, JSON.parse(text)),
    () => clients.delete(client),
  );
  clients.add(client);
});

function receive(client, message) {
  if (message.watch) {
    client.watch = message.watch;
    client.last = -1;
  } else if (message.got !== undefined) {
    --client.underWay;
  } else {
    const { id, ask, ...fields } = message;
    try {
      client.socket.send(JSON.stringify({ id, answer: answer(ask, fields) }));
    } catch (why) {
      client.socket.send(JSON.stringify({ id, error: why.message }));
    }
  }
}

function sendFrames(now) {
  for (const client of clients) {
    if (!client.watch || client.underWay >= 2 || client.last === world.step || now < client.due) continue;
    client.due = now + 1000 / (client.watch.rate ?? 60) - 2;
    client.socket.send(
      encodeFrame(
        ++client.number,
        Math.max(0, client.last < 0 ? 0 : world.step - client.last - 1),
        world,
        client.watch,
      ),
    );
    client.last = world.step;
    ++client.underWay;
    ++world.frames;
  }
}

if (world) {
  let owed = 0;
  setInterval(() => {
    if (world.playing) {
      owed = Math.min(owed + (world.speed || 500) / 60, 20);
      for (; owed >= world.stride; owed -= world.stride) world.advance();
    }
    sendFrames(performance.now());
  }, 1000 / 60);
  let told = -1;
  setInterval(() => {
    const status = JSON.stringify({ event: "status", ...world.questions.status() });
    if (told !== world.step) for (const client of clients) client.socket.send(status);
    told = world.step;
  }, 100);
}
server.listen(Number(port), "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}/`));
