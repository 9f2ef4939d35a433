import { expect, it } from "vitest";
import { pool } from "#lib/db/pool";
import { createReceiver } from "#lib/flows/ingest/receiver";
import { detectMissingEvents } from "#lib/flows/missing-events/detect-missing-events";
import { listSilentSourcesOf } from "#lib/missing-events/missing-event-store";
import { buildMissingScenario } from "#lib/sandbox/scenarios";
import { alertsOf, watch } from "#tests/support/alerts/alerts";
import { useDatabase } from "#tests/support/database";
import { drainInbox } from "#tests/support/log-writer";
import { receiveUntilKept } from "#tests/support/receive-until-kept";
import { makeWorkspace, sign } from "#tests/support/webhooks";

// Tried here: the web process was away for nine minutes. No alert named it, and the sources were called silent.

useDatabase();
const MINUTE_MS = 60_000;

/** A source that sent every few seconds until it stopped: it is silent after ten minutes. */
async function makeRegular() {
  const { workspaceId, source } = await makeWorkspace();
  for (const { envelope } of buildMissingScenario("source_stops_sending", { seed: 3, now: Date.now() })) {
    const body = JSON.stringify(envelope);
    await receiveUntilKept(createReceiver(), { source, headers: { "x-webhook-signature": sign(body) }, body });
  }
  await drainInbox();
  return workspaceId;
}

/** Receivers ran until and from so many minutes from now. */
const ran = (...runs: [from: number, to: number][]) =>
  pool().query(
    `TRUNCATE receiver_runs; INSERT INTO receiver_runs (id, started_at, seen_at) VALUES ${runs
      .map(([from, to], n) => `('run_${from}_${to}_${n}', now() + interval '${from} minutes', now() + interval '${to} minutes')`)
      .join(", ")}`,
  );

const silentAfter = async (workspaceId: Parameters<typeof listSilentSourcesOf>[0], minutes: number) => {
  await detectMissingEvents(new Date(Date.now() + minutes * MINUTE_MS));
  await detectMissingEvents(new Date(Date.now() + minutes * MINUTE_MS + 16_000));
  return (await listSilentSourcesOf(workspaceId)).length;
};

it("an alert says that no web process runs, and that one does again", async () => {
  const { workspaceId } = await makeWorkspace();
  const told = async () => (await alertsOf(workspaceId)).map(({ rule, title, state }) => [rule, title, state]);
  await watch(); // where no receiver ever wrote that it runs, nobody knows
  await ran([-60, 0]);
  await watch();
  expect(await told()).toEqual([]);
  await ran([-60, -9]);
  await watch();
  expect(await told()).toEqual([["no_receiver", "No web process is running", "open"]]);
  await ran([-60, -9], [0, 0]);
  await watch();
  expect(await told()).toEqual([["no_receiver", "No web process is running", "closed"]]);
});

it("the time in which nothing received is no silence of a source; what comes after it is", async () => {
  const workspaceId = await makeRegular();
  await ran([-60, 1], [10, 30]);
  expect(await silentAfter(workspaceId, 12)).toBe(0);
  expect(await silentAfter(workspaceId, 21)).toBe(1);
});

it("a source that was silent before stays so while nothing receives", async () => {
  const workspaceId = await makeRegular();
  await ran([-60, 15], [60, 61]);
  expect(await silentAfter(workspaceId, 14)).toBe(1);
  expect(await silentAfter(workspaceId, 40)).toBe(1);
});

it("an event that came after the last sign of a receiver says that one runs, as where Next alone serves the build", async () => {
  const workspaceId = await makeRegular();
  await ran([-60, -9]);
  await watch();
  expect(await alertsOf(workspaceId)).toEqual([]);
});
