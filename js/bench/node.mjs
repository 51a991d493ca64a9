// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// node node.mjs [flatbush|kdbush|rbush|supercluster ...] [--quick]: Juxta against its peers in Node.
import { cases, measure } from "./cases.mjs";

const words = process.argv.slice(2);
const names = words.filter((word) => word in cases);
const lib = { ranked: await import("../dist/ranked.js"), layer: await import("../dist/layer.js") };
console.log(`Node ${process.version}, V8 ${process.versions.v8}`);
await measure(lib, names.length > 0 ? names : Object.keys(cases), words.includes("--quick"), console.log);
