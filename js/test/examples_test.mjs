// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The examples run as a user runs them, by the package's name, and print what their comments say. docs/javascript.md has
// the same programs.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("../examples", import.meta.url));
const expected = {
  agents: "1000 1000",
  labels: "Uint32Array(2) [ 0, 2 ]\nUint32Array(3) [ 0, 1, 2 ]",
  layer: "Uint32Array(2) [ 0, 1 ]\nUint32Array(1) [ 2 ]\nUint32Array(1) [ 0 ]\n0",
  ranked: "Uint32Array(2) [ 2, 0 ]\n2\nUint32Array(1) [ 3 ]",
  shape: "5 0",
  transform: "22",
};
const page = fileURLToPath(new URL("../../docs/javascript.md", import.meta.url));

for (const file of readdirSync(folder)) {
  test(`example ${file}`, () => {
    const printed = execFileSync(process.execPath, [`${folder}/${file}`]).toString().trim();
    assert.equal(printed, expected[file.replace(".mjs", "")]);
    if (!existsSync(page)) return;
    const program = readFileSync(`${folder}/${file}`, "utf8").split("\n").slice(1).join("\n").trim();
    assert.ok(readFileSync(page, "utf8").includes(program), `docs/javascript.md has another ${file}`);
  });
}
