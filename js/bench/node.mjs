// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// node node.mjs [flatbush|kdbush|rbush|supercluster ...] [--quick] [--seeds=COUNT]: Juxta against its peers in Node.
import { measure } from "./cases.mjs";

const lib = { ranked: await import("../dist/ranked.js"), layer: await import("../dist/layer.js") };
console.log(`Node ${process.version}, V8 ${process.versions.v8}`);
await measure(lib, process.argv.slice(2), console.log);
