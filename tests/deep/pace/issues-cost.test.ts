import { expect, it } from "vitest";
import { pool } from "#lib/db/pool";
import { processEvents } from "#lib/flows/processing/process-events";
import { appendEvents } from "#lib/ingest/log-store";
import { useDatabase } from "#tests/support/database";
import { figure } from "#tests/support/figure";
import { newEvent } from "#tests/support/new-event";
import { envelope, makeWorkspace } from "#tests/support/webhooks";

useDatabase();

const EVENTS = 5000;
const BATCH = 250;

type Kind = "good" | "failing" | "reported";

const DATA: Record<Kind, (n: number) => { type: string; data: Record<string, unknown> }> = {
  good: (n) => ({ type: "document.processed", data: { documentId: `doc_${n % 500}`, status: "completed" } }),
  failing: () => ({ type: "document.processed", data: { status: "completed" } }),
  reported: (n) => ({ type: "document.error", data: { documentId: `doc_${n % 500}`, error: { code: "unreadable" } } }),
};

/** A pause of the machine is nobody's cost: the better of two rounds counts. @returns events a second */
const measure = async (kindOf: (n: number) => Kind): Promise<number> => Math.max(await applyOnce(kindOf), await applyOnce(kindOf));

/** Fills a log and applies it. @returns events a second */
async function applyOnce(kindOf: (n: number) => Kind): Promise<number> {
  const { workspaceId, sourceId } = await makeWorkspace();
  for (let from = 0; from < EVENTS; from += BATCH) {
    const events = Array.from({ length: BATCH }, (_, offset) => {
      const { type, data } = DATA[kindOf(from + offset)](from + offset);
      const eventId = `evt_${from + offset}`;
      const body = Buffer.from(envelope({ id: eventId, type, data }));
      return newEvent({ workspaceId, sourceId, eventId, type, created: 1, body });
    });
    await appendEvents(pool(), events);
  }
  const start = performance.now();
  while ((await processEvents()) > 0);
  return Math.round(EVENTS / ((performance.now() - start) / 1000));
}

it("issues cost the worker little: good events, a twentieth failing, every event failing", async () => {
  await measure(() => "good"); // warms the statements up
  const good = await measure(() => "good");
  const mixed = await measure((n) => (n % 20 === 0 ? "failing" : n % 20 === 1 ? "reported" : "good"));
  const failing = await measure(() => "failing");
  const reported = await measure(() => "reported");
  figure(`one worker applies ${good} good events a second; ${mixed} with a tenth failing; ${failing} all dead; ${reported} all reported`);
  // A loose bound: it is there to catch a statement an event, not a busy machine.
  expect(mixed).toBeGreaterThan(good / 3);
  expect(failing).toBeGreaterThan(good / 3);
});
