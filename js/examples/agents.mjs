// A flock of boids.
import { Flock, init } from "juxta/agents";

await init();
const flock = Flock.build({ halfSize: 20 });
flock.scatter(1000, 42);
flock.step(60);
const x = flock.position(0), y = flock.position(1); // views, valid until the next call
console.log(x.length, y.length); // 1000 1000
