// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// A sweep of an invented model: infections that grow and end. As a table, and as the questions of a sweep.
import { randomFrom } from "./mock_map.mjs";

export const kVary = [
  { name: "contacts", values: [2, 4, 6] },
  { name: "vaccinated", values: [0, 0.25, 0.5] },
];
export const kReports = ["ill", "immune"];
const kSeeds = 4,
  kSteps = 60;

/** All runs: seed, values of what varies, steps, and values of each report. */
export function makeRuns() {
  const runs = [];
  for (const contacts of kVary[0].values) {
    for (const vaccinated of kVary[1].values) {
      for (let seed = 1; seed <= kSeeds; ++seed) runs.push(makeRun([contacts, vaccinated], seed));
    }
  }
  return runs;
}

function makeRun([contacts, vaccinated], seed) {
  const random = randomFrom(seed * 1000 + contacts * 10 + vaccinated * 100);
  let ill = 8 + Math.round(4 * random()),
    immune = Math.round(1000 * vaccinated);
  const run = { seed, at: [contacts, vaccinated], steps: [], ill: [], immune: [] };
  for (let step = 0; step <= kSteps; ++step) {
    run.steps.push(step);
    run.ill.push(Math.round(ill));
    run.immune.push(Math.round(immune));
    const free = 1000 - ill - immune,
      caught = ill * contacts * 0.09 * (free / 1000) * (0.7 + 0.6 * random()),
      healed = ill * 0.13;
    ill = Math.max(0, ill + caught - healed);
    immune += healed;
  }
  return run;
}

/** As `juxta model --sweep` writes it: docs/formats/sweep.md. */
export function sweepCsv() {
  const lines = [["replica", "seed", ...kVary.map((v) => v.name), "step", ...kReports].join(",")];
  makeRuns().forEach((run, replica) =>
    run.steps.forEach((step, i) =>
      lines.push([replica, run.seed, ...run.at, step, run.ill[i], run.immune[i]].join(",")),
    ),
  );
  return `${lines.join("\n")}\n`;
}

export function makeSweep() {
  const runs = makeRuns();
  return {
    info: () => ({
      kind: "sweep",
      title: "Mock sweep",
      version: "mock",
      vary: kVary,
      reports: kReports,
      runs: runs.length,
      steps: kSteps,
    }),
    status: () => ({ clients: 1 }),
    curves({ report }) {
      if (!kReports.includes(report)) throw new Error(`there is no report '${report}': ${kReports.join(", ")}`);
      return { runs: runs.map((run) => ({ seed: run.seed, at: run.at, steps: run.steps, values: run[report] })) };
    },
  };
}
