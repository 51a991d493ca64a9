// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The cases that browser.mjs runs in a page too.
import assert from "node:assert/strict";
import { before, test } from "node:test";
import layerCases from "./cases_layer.mjs";
import peerCases from "./cases_peers.mjs";
import otherCases from "./cases_others.mjs";
import rankedCases from "./cases_ranked.mjs";
import * as support from "./support.mjs";

before(() => Promise.all(["ranked", "labels", "layer", "shape", "agents", "transform"].map((name) => support[name].init())));
for (const cases of [rankedCases, layerCases, otherCases, peerCases]) cases(test, assert);
