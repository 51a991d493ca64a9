// The largest cities in a rectangle.
import { init, RankedPoints } from "juxta/ranked";

await init();
const lon = [10.7, 5.3, 18.1, 12.6], lat = [59.9, 60.4, 59.3, 55.7];
const rank = [-709, -291, -985, -660]; // lower is better: minus thousands of people
const cities = RankedPoints.build(lon, lat, rank);
console.log(cities.top([5, 58, 20, 61], 2)); // lx, ly, hx, hy: Uint32Array [2, 0]
console.log(cities.count({ circle: [10, 60, 5] })); // 2
const file = cities.save(); // a Uint8Array, which C++, C and Python open too
console.log(RankedPoints.open(file).nearest(12, 56, 1).indices); // Uint32Array [3]
cities.free();
