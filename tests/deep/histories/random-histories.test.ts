import fc from "fast-check";
import { beforeAll, expect, it } from "vitest";
import { useDatabase } from "#tests/support/database";
import { figure } from "#tests/support/figure";
import { atSize } from "#tests/support/sample";
import { countWaiting } from "#tests/support/waiting";
import { COMMANDS } from "./commands.ts";
import { Model } from "./model.ts";
import { World } from "./world.ts";

useDatabase();
beforeAll(World.prepare);

/** Row 17 wants 1,000 runs; a few of them in the quick suite. A seed makes a run again. */
const RUNS = Number(process.env.HISTORY_RUNS ?? atSize(100, 16));
const SEED = Number(process.env.HISTORY_SEED ?? Date.now() % 1_000_000_000);

it(`does what the model says over ${RUNS} random histories (seed ${SEED})`, async () => {
  let steps = 0;
  const met = { deaths: 0, resurrections: 0, crashes: 0, corrections: 0 };
  const histories = fc.commands(COMMANDS, { maxCommands: 25, size: "max" });
  const holds = fc.asyncProperty(histories, async (history) => {
    const world = await World.make();
    try {
      const model = new Model();
      await fc.asyncModelRun(() => ({ model, real: world }), history);
      steps += [...history].length;
      for (const what of Object.keys(met) as (keyof typeof met)[]) met[what] += model.met[what];
    } finally {
      await world.leave();
    }
  });
  await fc.assert(holds, { numRuns: RUNS, seed: SEED, endOnFailure: RUNS > 200 });
  const words = Object.entries(met).map(([what, count]) => `${count} ${what}`);
  figure(
    `${RUNS} random histories, ${steps} steps (${words.join(", ")}), seed ${SEED}: log, inbox, dead letters, tries and views are the model's after each`,
  );
  // A few histories may miss what is rare; a thousand that do have tried nothing.
  if (RUNS >= 1000) for (const [what, count] of Object.entries(met)) expect(count, what).toBeGreaterThan(0);
  expect(await countWaiting()).toBe(0);
}, 1_800_000);
