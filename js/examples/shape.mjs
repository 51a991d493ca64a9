// A ray against a triangle mesh.
import { init, TriangleMesh } from "juxta/shape";

await init();
const mesh = TriangleMesh.build([0, 0, 0, 4, 0, 0, 0, 4, 0], [0, 1, 2]);
const { t, triangles } = mesh.raycast([1, 1, 5, 0, 0, -1, Infinity]);
console.log(t[0], triangles[0]); // 5 0
