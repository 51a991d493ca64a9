// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Where the built package is. In a page, browser.mjs serves another file in place of this one.
import { resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const folder = process.env.JUXTA_DIST ?? fileURLToPath(new URL("../dist", import.meta.url));
export const dist = pathToFileURL(resolve(folder)).href;
