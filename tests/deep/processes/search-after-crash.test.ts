import { rmSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { resetEnv } from "#lib/config/env";
import type { SourceId, WorkspaceId } from "#lib/contracts/api/ids";
import { migrate } from "#lib/db/migrate";
import { closePools, pool } from "#lib/db/pool";
import { termsOf } from "#lib/events/search/terms";
import { workSearchIndex } from "#lib/flows/events/index-for-search";
import { workInbox } from "#lib/flows/processing/process-events";
import { listNamedEvents } from "#lib/flows/views/read-views";
import { findPostmaster } from "#lib/installation/embedded/postmaster";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "#lib/installation/embedded-postgres";
import { processStart } from "#lib/installation/process-lock";
import { TEST_ENV } from "#tests/support/environment";
import { append } from "#tests/support/log-writer";
import { listUnfiled } from "#tests/support/lost-search";
import { makeOpenFolder } from "#tests/support/open-folder";
import { makeWorkspace } from "#tests/support/webhooks";

// A real server, which is killed while events are stored, applied, filed and filed again.

const CRASHES = 20;
const OLD = 1500;
/** Longest time between two crashes, in milliseconds. */
const MAX_REST_MS = 1500;
const LIMIT_MS = 600_000;

const folder = makeOpenFolder("signalbox-search-crash-");
const directory = path.join(folder, "postgres");
let server: EmbeddedPostgres;
let world: { workspaceId: WorkspaceId; sourceId: SourceId };

beforeAll(async () => {
  server = await startEmbeddedPostgres({ directory, port: 0, durable: true });
  await migrate(server.url);
  await closePools();
  resetEnv({ ...TEST_ENV, DATABASE_URL: server.url });
  world = await makeWorkspace();
});

afterAll(async () => {
  await closePools();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function crash(signal: "SIGKILL" | "SIGQUIT"): Promise<void> {
  const found = findPostmaster(server.directory);
  if (!found) throw new Error("no server runs");
  process.kill(found.pid, signal);
  while (processStart(found.pid) !== null) await sleep(5);
  server = await startEmbeddedPostgres({ directory, port: server.port, durable: true });
}

/** Does something over and over, whatever the database does, until it is stopped. */
function over(work: () => Promise<unknown>): () => Promise<void> {
  let stopped = false;
  const run = async () => {
    while (!stopped) {
      await work().catch(() => sleep(20));
      await sleep(5);
    }
  };
  const running = run();
  return async () => {
    stopped = true;
    await running;
  };
}

const event = (eventId: string, word: string) => ({
  eventId,
  type: "document.uploaded",
  created: 1_760_000_000,
  data: { documentId: eventId, word },
});

async function fileEverything(): Promise<void> {
  for (;;) {
    while (await workInbox());
    await pool().query("UPDATE log_ranges SET ended_at = ended_at - interval '1 minute' WHERE ended_at > now() - interval '10 seconds'");
    while (await workSearchIndex());
    if ((await listUnfiled()).length === 0) return;
    await sleep(50);
  }
}

/** Number of the oldest events that a search for their word finds; null where it says that it has not looked so far back. */
async function findOldest(): Promise<number | null> {
  const { data, searchedBackTo } = await listNamedEvents(world.workspaceId, { q: "juniper" }, { limit: 200, now: new Date() });
  return searchedBackTo ? null : data.length;
}

it(
  "what a search finds is all or said not to be, at each of 20 crashes, and equals the log in the end",
  async () => {
    const { workspaceId, sourceId } = world;
    await append(
      workspaceId,
      sourceId,
      Array.from({ length: 10 }, (_, n) => event(`evt_first_${n}`, "juniper")),
      new Date(Date.now() - 60_000),
    );
    await append(
      workspaceId,
      sourceId,
      Array.from({ length: OLD }, (_, n) => event(`evt_old_${n}`, "maple")),
      new Date(Date.now() - 30_000),
    );
    await fileEverything();
    const answers: (number | null)[] = [];
    let stored = 0;
    const stops = [
      over(async () => {
        await append(workspaceId, sourceId, [event(`evt_live_${stored}`, "maple")]);
        stored += 1;
      }),
      over(workInbox),
      over(workSearchIndex),
      over(async () => answers.push(await findOldest())),
    ];
    for (let n = 0; n < CRASHES; n += 1) {
      await sleep(Math.random() * MAX_REST_MS);
      await crash(n % 2 === 0 ? "SIGKILL" : "SIGQUIT");
    }
    for (const stop of stops) await stop();
    expect(new Set(answers)).toEqual(new Set([10, null]));
    await fileEverything();
    expect(await findOldest()).toBe(10);
    const { rows } = await pool().query<{ id: string; body: Buffer; terms: string[] }>(
      `SELECT e.event_id AS id, e.body, coalesce(tsvector_to_array(f.terms), '{}') AS terms
     FROM events e LEFT JOIN event_search f USING (workspace_id, received_at, seq)`,
    );
    expect(rows.length).toBeGreaterThanOrEqual(10 + OLD + stored);
    const read = (body: Buffer) => JSON.parse(body.toString()).data;
    const wrong = rows.filter(({ id, body, terms }) => {
      const expected = termsOf({ workspaceId, eventId: id, type: "document.uploaded", data: read(body) });
      return [...terms].sort().join("\n") !== [...new Set(expected)].sort().join("\n");
    });
    expect(wrong.map(({ id }) => id)).toEqual([]);
  },
  LIMIT_MS,
);
