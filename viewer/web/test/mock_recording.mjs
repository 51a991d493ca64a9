// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Makes a recording of a mock world: every fifth step, and no parameters.

const kEvery = 5,
  kLast = 600;

export function asRecording(world) {
  const past = { steps: [], rows: [] };
  const show = (step) => {
    world.step = step;
    world.things = world.move(step);
  };
  for (let step = kEvery; step <= kLast; step += kEvery) {
    world.move(step);
    past.steps.push(step);
    past.rows.push(world.report);
  }
  show(kEvery);
  Object.assign(world, {
    title: `Recording of ${world.title}`,
    recording: { first: kEvery, last: kLast },
    parameters: [],
    playing: false,
    stride: kEvery,
    advance() {
      if (world.step < kLast) show(world.step + kEvery);
      if (world.step === kLast) world.playing = false;
    },
  });
  const { status, restart: _, ...others } = world.questions;
  world.questions = {
    ...others,
    status,
    play() {
      if (world.step === kLast) show(kEvery);
      world.playing = true;
      return status();
    },
    seek({ step }) {
      show(Math.min(kLast, Math.max(kEvery, Math.floor(step / kEvery) * kEvery)));
      return status();
    },
    history: ({ from = 0 }) => {
      const steps = past.steps.filter((step) => step >= from),
        rows = past.rows.slice(past.steps.length - steps.length);
      return { steps, reports: Object.fromEntries(world.reports.map((name, i) => [name, rows.map((row) => row[i])])) };
    },
  };
  return world;
}
