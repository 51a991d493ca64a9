// Which boxes overlap, and what a ray hits.
import { alloc, init, Layer } from "juxta/layer";

await init();
const boxes = alloc("float32", 12); // in the module's memory: used there, without a copy
boxes.view.set([0, 0, 2, 2, 1, 1, 3, 3, 8, 8, 9, 9]); // lo.x, lo.y, hi.x, hi.y of each
const layer = Layer.build(boxes, { dimensions: 2 });
console.log(layer.findPairs()); // Uint32Array [0, 1]
console.log(layer.search([7, 7, 10, 10])); // Uint32Array [2]
console.log(layer.raycast([-1, 1.5, 1, 0, Infinity]).bodies); // origin, direction, most t: Uint32Array [0]
boxes.view[0] = 20; // one box moves ...
boxes.view[2] = 22;
layer.refit(boxes); // ... and the layer is up to date
console.log(layer.findPairs().length); // 0
