import { expect, it } from "vitest";
import { pool } from "#lib/db/pool";
import { countByHours } from "#lib/events/hour-counter-store";
import { parseFilter } from "#lib/events/search/query";
import { readVolume } from "#lib/events/volume-store";
import { countHours } from "#lib/flows/events/count-hours";
import { useDatabase } from "#tests/support/database";
import { figure } from "#tests/support/figure";
import { append, drainInbox } from "#tests/support/log-writer";
import { atSize } from "#tests/support/sample";
import { useStatements } from "#tests/support/statements";
import { makeWorkspace } from "#tests/support/webhooks";
import { HOUR_STEPS, HourWorld } from "./hour-histories.ts";
import { tryHistories } from "./steps.ts";

useDatabase();
useStatements();

const RUNS = Number(process.env.MODEL_RUNS ?? (process.env.npm_lifecycle_event === "model" ? 1000 : atSize(6, 3)));
const SEED = Number(process.env.MODEL_SEED ?? (process.env.npm_lifecycle_event === "model" ? Date.now() % 1_000_000_000 : 5));

it("a month that is dropped takes its counters along, and one before it in which something waits keeps them", async () => {
  const world = await HourWorld.make();
  const [dropped, kept] = [75, 140].map((days) => days * 86_400_000) as [number, number];
  await world.store(dropped);
  await world.exhaust();
  await world.store(kept);
  await world.countAll();
  const partitions =
    "SELECT count(*)::int AS n FROM pg_class WHERE relname = to_char(now() - interval '75 days', '\"events_\"YYYY_MM') AND reltuples >= 0";
  await pool().query("ANALYZE events");
  expect((await pool().query(partitions)).rows).toEqual([{ n: 1 }]);
  await world.retain(30);
  await world.settle();
  expect((await pool().query(partitions)).rows).toEqual([{ n: 0 }]);
}, 120_000);

it("counters: a count of the log after each step, in their order, and backwards under load", async () => {
  for (const steps of [HOUR_STEPS, HOUR_STEPS.toReversed()].slice(0, atSize(2, 1))) {
    const world = await HourWorld.make();
    for (const { run } of steps) await run(world);
    await world.settle();
  }
}, 600_000);

it(`counters: a count of the log after each step of ${RUNS} random histories (seed ${SEED})`, async () => {
  await tryHistories(() => HourWorld.make(), HOUR_STEPS, RUNS, SEED);
  figure(`${RUNS} random histories of events by the hour, seed ${SEED}`);
}, 3_600_000);

it("counts a log of an earlier release from its beginning, and from the log until then", async () => {
  const { workspaceId, sourceId } = await makeWorkspace();
  const events = Array.from({ length: 30 }, (_, n) => ({ eventId: `evt_${n}`, type: "made.up", created: 1_760_000_000, data: {} }));
  const old = new Date(Date.now() - 90 * 3_600_000);
  await append(workspaceId, sourceId, events.slice(0, 20), old);
  await append(workspaceId, sourceId, events.slice(20));
  await drainInbox();
  await pool().query("DELETE FROM event_hours WHERE workspace_id = $1", [workspaceId]);
  await pool().query("DELETE FROM event_hour_places WHERE workspace_id = $1", [workspaceId]);
  const byHours = () => countByHours(workspaceId, parseFilter({}), { from: 0, to: null }, { step: 3600, limitMs: 5000 });
  expect(await byHours()).toBe("unknown_to_counters");
  const before = await readVolume(workspaceId, {}, new Date());
  expect(before).toMatchObject({ total: 30, precision: "exact" });
  expect(await countHours(7)).toBe(true);
  expect(await byHours()).toBe("unknown_to_counters");
  while (await countHours(7));
  expect([...((await byHours()) as Map<number, number>).values()].sort()).toEqual([10, 20]);
  const after = await readVolume(workspaceId, {}, new Date());
  expect({ ...after, to: before.to }).toEqual(before);
});

it("a workspace that was just made is counted from its first event", async () => {
  const { workspaceId, sourceId } = await makeWorkspace();
  await append(workspaceId, sourceId, [{ eventId: "evt", type: "made.up", created: 1_760_000_000, data: {} }]);
  const counted = await countByHours(workspaceId, parseFilter({}), { from: 0, to: null }, { step: 3600, limitMs: 5000 });
  expect(counted).toEqual(new Map([[Math.floor(Date.now() / 3_600_000) * 3600, 1]]));
});
