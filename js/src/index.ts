// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
/** All modules. Programs that need one import it alone, from "juxta/ranked" for example: the others are not loaded then. */
import { init as initAgents } from "./agents.js";
import { init as initLabels } from "./labels.js";
import { init as initLayer } from "./layer.js";
import { init as initRanked } from "./ranked.js";
import { init as initShape } from "./shape.js";
import { init as initTransform } from "./transform.js";

export { JuxtaError, type ErrorCode } from "./errors.js";
export { Flock, type FlockOptions, type FlockRules } from "./agents.js";
export { Layer, noBody, type LayerOptions, type LayerStats, type PairOptions, type QueryOptions } from "./layer.js";
export { RankedLabels, type RankedLabelsOptions } from "./labels.js";
export { RankedPoints, type Filter, type Rect, type Region, type Where } from "./ranked.js";
export { TriangleMesh, type MeshOptions, type Placement, type SurfaceHits } from "./shape.js";
export { Hierarchy, noNode, type HierarchyOptions } from "./transform.js";
export { initAgents, initLabels, initLayer, initRanked, initShape, initTransform };

/** Loads all modules. */
export async function init(): Promise<void> {
  await Promise.all([initAgents(), initLabels(), initLayer(), initRanked(), initShape(), initTransform()]);
}
