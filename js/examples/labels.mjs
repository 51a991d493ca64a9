// Labels of a map of which none overlap.
import { init, RankedLabels } from "juxta/labels";

await init();
const labels = RankedLabels.build([0, 1, 40], [0, 1, 0], [1, 2, 3], { width: 8, height: 4 });
console.log(labels.top([-50, -50, 50, 50], 0)); // Uint32Array [0, 2]: the second one would cover the first
console.log(labels.top([-50, -50, 50, 50], 3)); // Uint32Array [0, 1, 2]
