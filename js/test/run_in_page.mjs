// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Runs the cases in a page, and one question in a worker; globalThis.done says what came of it.
import layerCases from "./cases_layer.mjs";
import peerCases from "./cases_peers.mjs";
import otherCases from "./cases_others.mjs";
import rankedCases from "./cases_ranked.mjs";
import * as support from "./support.mjs";

const equal = (a, b) => {
  if (Object.is(a, b) || (a === 0 && b === 0)) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  const keys = Object.keys(a);
  return a.constructor === b.constructor && keys.length === Object.keys(b).length && keys.every((key) => equal(a[key], b[key]));
};
const must = (right, what) => {
  if (!right) throw new Error(what ?? "is not as it should be");
};
const text = (value) => String(JSON.stringify(value, (_, each) => (typeof each === "bigint" ? `${each}n` : each))).slice(0, 300);
const assert = {
  ok: must,
  equal: (a, b, what) => must(Object.is(a, b) || a === b, what ?? `${text(a)} is not ${text(b)}`),
  deepEqual: (a, b, what) => must(equal(a, b), what ?? `${text(a)} is not ${text(b)}`),
  throws: (call, expected) => {
    try {
      call();
    } catch (error) {
      const right = typeof expected === "function" ? expected(error) : Object.keys(expected).every((key) => error[key] === expected[key]);
      return must(right, `threw ${error}`);
    }
    throw new Error("threw nothing");
  },
};

const failures = [];
let passed = 0;
const run = async (name, body) => {
  try {
    await body();
    passed += 1;
  } catch (error) {
    failures.push(`${name}: ${error.stack}`);
  }
};

const cases = [];
for (const each of [rankedCases, layerCases, otherCases, peerCases]) each((name, body) => cases.push([name, body]), assert);
await Promise.all(["ranked", "labels", "layer", "shape", "agents", "transform"].map((name) => support[name].init()));
for (const [name, body] of cases) await run(name, body);
await run("in a worker", async () => {
  const code = `import { init, RankedPoints } from "${new URL("../dist/ranked.js", import.meta.url)}";
    await init();
    postMessage(RankedPoints.build([1, 2, 3], [1, 2, 3], [3, 2, 1]).top([0, 0, 9, 9], 5));`;
  const url = URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
  const worker = new Worker(url, { type: "module" });
  const answer = await new Promise((resolve, reject) => {
    worker.onmessage = (event) => resolve(event.data);
    worker.onerror = (event) => reject(new Error(event.message));
  });
  assert.deepEqual(Array.from(answer), [2, 1, 0]);
});
globalThis.done = { passed, failures };
