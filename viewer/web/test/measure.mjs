// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// What a client gets, and what it costs the engine. Needs a WebSocket in Node: version 22, or 20 with
// --experimental-websocket.
//
//   node measure.mjs http://127.0.0.1:8080/ world [frames a second, 20] [steps a second, 0: as fast as it can]
//   node measure.mjs http://127.0.0.1:8080/ map
const [url, kind, rate = "20", speed = "0"] = process.argv.slice(2);
const kRounds = 4, kSeconds = 4, kRectangles = 2000;

async function ask(name, body = {}) {
  const headers = { "Content-Type": "application/json" };
  return (await fetch(new URL(`api/${name}`, url), { method: "POST", headers, body: JSON.stringify(body) })).json();
}

async function socket() {
  const opened = new WebSocket(new URL("ws", url.replace("http", "ws")));
  opened.binaryType = "arraybuffer";
  await new Promise((resolve) => (opened.onopen = resolve));
  return opened;
}

async function stepsPerSecond() {
  const before = (await ask("status")).step, began = performance.now();
  await new Promise((resolve) => setTimeout(resolve, kSeconds * 1000));
  return (((await ask("status")).step - before) / (performance.now() - began)) * 1000;
}

/** With and without a client, by turns. */
async function world() {
  const { groups } = await ask("info");
  await ask("speed", { steps_per_second: Number(speed) });
  const rounds = [];
  for (let i = 0; i < kRounds; ++i) {
    const alone = await stepsPerSecond(), client = await socket();
    let frames = 0, bytes = 0;
    client.onmessage = ({ data }) => {
      if (typeof data === "string") return;
      frames += 1;
      bytes += data.byteLength;
      client.send(JSON.stringify({ got: new DataView(data).getUint32(4, true) }));
    };
    client.send(JSON.stringify({ watch: { rate: Number(rate), colour: groups.map(({ colour }) => colour) } }));
    const watched = await stepsPerSecond();
    rounds.push({
      "steps/s": alone.toFixed(1), "watched": watched.toFixed(1), "slower, %": ((1 - watched / alone) * 100).toFixed(1),
      "frames/s": (frames / kSeconds).toFixed(1), "MB/s": (bytes / kSeconds / 1e6).toFixed(0),
    });
    client.close();
  }
  console.table(rounds);
}

async function map() {
  const client = await socket(), waiting = new Map();
  client.onmessage = ({ data }) => {
    const message = JSON.parse(data);
    waiting.get(message.id)?.(message.answer);
  };
  const [lx, ly, hx, hy] = (await ask("info")).bounds, trips = [], engine = [];
  for (let id = 1; id <= kRectangles; ++id) {
    const w = (hx - lx) * (0.001 + 0.3 * Math.random()), h = (hy - ly) * (0.001 + 0.3 * Math.random());
    const x = lx + (hx - lx - w) * Math.random(), y = ly + (hy - ly - h) * Math.random(), began = performance.now();
    const answer = await new Promise((resolve) => {
      waiting.set(id, resolve);
      client.send(JSON.stringify({ id, ask: "top", rect: [x, y, x + w, y + h], k: 20 }));
    });
    trips.push(performance.now() - began);
    engine.push(answer.us);
  }
  const at = (values, part) => values.sort((a, b) => a - b)[Math.floor(values.length * part)].toFixed(2);
  console.log(`ms from question to answer: median ${at(trips, 0.5)}, p99 ${at(trips, 0.99)}; ` +
    `us of the engine: median ${at(engine, 0.5)}, p99 ${at(engine, 0.99)}`);
}

await (kind === "map" ? map() : world());
process.exit(0);
