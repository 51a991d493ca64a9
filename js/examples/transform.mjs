// A moon that follows its planet.
import { Hierarchy, init } from "juxta/transform";

await init();
const tree = Hierarchy.create();
const planet = tree.insert([0, 0, 0, 1, 10, 0, 0, 1]); // rotation x, y, z, w; position; scale
const moon = tree.insert([0, 0, 0, 1, 2, 0, 0, 1], planet);
tree.setPositions(planet, [20, 0, 0]);
console.log(tree.worlds(moon)[4]); // 22
