import fc from "fast-check";
import { expect } from "vitest";
import { redeliverEvent } from "#lib/flows/processing/redeliver-events";
import { rebuildViews } from "#lib/flows/views/rebuild-views";
import { MAX_ATTEMPTS } from "#lib/processing/failures";
import type { FoldableEvent } from "#lib/views/fold/plan";
import type { Model } from "./model.ts";
import type { World } from "./world.ts";

type Command = fc.AsyncCommand<Model, World>;

/** A command from what it does to both; everything stored is compared after each. */
function command(name: string, run: (model: Model, world: World) => Promise<void>): Command {
  return {
    check: () => true,
    toString: () => name,
    run: async (model, world) => {
      await run(model, world);
      await world.compare(model);
    },
  };
}

/** A few events over few records, several within one second, so that they meet. */
const EVENTS: FoldableEvent[] = [
  { eventId: "evt_0", type: "document.uploaded", created: 100, data: { documentId: "doc_a", fileName: "a.pdf" } },
  {
    eventId: "evt_1",
    type: "document.processed",
    created: 101,
    data: { documentId: "doc_a", status: "completed", metadata: { pages: 1 } },
  },
  { eventId: "evt_2", type: "document.error", created: 101, data: { documentId: "doc_a", error: { code: "blur" } } },
  { eventId: "evt_3", type: "document.deleted", created: 100, data: { documentId: "doc_a" } },
  { eventId: "evt_4", type: "document.uploaded", created: 100, data: { documentId: "doc_b", fileName: "b.pdf" } },
  { eventId: "evt_5", type: "task.created", created: 100, data: { taskId: "task_a", pipelineId: "pip_a", stage: "Inbox" } },
  {
    eventId: "evt_6",
    type: "pipeline.stage_changed",
    created: 101,
    data: { taskId: "task_a", pipelineId: "pip_a", fromStage: "Inbox", toStage: "Done" },
  },
  { eventId: "evt_7", type: "invented.type", created: 100, data: { documentId: "doc_a" } },
];

async function curse(model: Model, world: World, eventId: string, on: boolean): Promise<void> {
  await world.curse(eventId, on);
  if (on) model.cursed.add(eventId);
  else model.cursed.delete(eventId);
}

async function retry(model: Model, world: World, times: number): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    await world.letTimePass();
    model.letTimePass();
    await world.process(5);
    model.process();
  }
}

async function redeliver(model: Model, world: World, eventId: string): Promise<void> {
  const id = await redeliverEvent(world.workspaceId, eventId, "ada@example.com");
  expect(id !== null).toBe(model.log.has(eventId));
  if (id !== null) model.deliver(eventId);
}

const anEvent = fc.constantFrom(...EVENTS);

/** Commands that may occur, in any order. */
export const COMMANDS: fc.Arbitrary<Command>[] = [
  fc.tuple(anEvent, fc.integer({ min: 1, max: 3 })).map(([event, times]) =>
    command(`receive ${event.eventId} ${times} times at once`, async (model, world) => {
      const fresh = await world.receive(event, times);
      expect(fresh).toBe(model.receive(event) ? 1 : 0);
    }),
  ),
  anEvent.map((event) =>
    command(`receive ${event.eventId} and lose the answer`, async (model, world) => {
      await world.receive(event, 1);
      model.receive(event);
    }),
  ),
  fc.integer({ min: 1, max: 6 }).map((limit) =>
    command(`process, ${limit} in a batch`, async (model, world) => {
      await world.process(limit);
      model.process();
    }),
  ),
  fc
    .tuple(anEvent, fc.boolean())
    .map(([{ eventId }, on]) => command(`${on ? "curse" : "heal"} ${eventId}`, (model, world) => curse(model, world, eventId, on))),
  fc.constant(
    command("crash in the middle of a batch", async (model, world) => {
      if (await world.crash()) model.met.crashes += 1;
    }),
  ),
  fc.integer({ min: 1, max: 6 }).map((times) => command(`retry ${times} times`, (model, world) => retry(model, world, times))),
  anEvent.map(({ eventId }) =>
    command(`redeliver ${eventId} cursed, until it is dead`, async (model, world) => {
      await curse(model, world, eventId, true);
      await redeliver(model, world, eventId);
      await retry(model, world, MAX_ATTEMPTS);
    }),
  ),
  anEvent.map(({ eventId }) =>
    command(`heal and redeliver ${eventId}`, async (model, world) => {
      await curse(model, world, eventId, false);
      await redeliver(model, world, eventId);
      await retry(model, world, 1);
    }),
  ),
  anEvent.map(({ eventId }) => command(`redeliver ${eventId}`, (model, world) => redeliver(model, world, eventId))),
  fc.constant(
    command("rebuild", async (model, world) => {
      const options = { dryRun: false, rest: 0, signal: new AbortController().signal, onProgress: () => undefined };
      const rebuilt = await rebuildViews(world.workspaceId, options);
      if (rebuilt.outcome !== "finished") throw new Error("the rebuild was stopped");
      const { missing, surplus, different } = rebuilt.report;
      expect({ surplus, wrong: missing + different }).toEqual({ surplus: 0, wrong: model.rebuild() });
    }),
  ),
];
