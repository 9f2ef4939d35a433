import fc from "fast-check";
import { expect, it } from "vitest";
import { pool } from "#lib/db/pool";
import { eventSecondsSql } from "#lib/db/sql";
import { readNewestCommits } from "#lib/events/log/event-body-store";
import { appendEvents } from "#lib/ingest/log-store";
import { eventSeconds } from "#lib/platform/event-time";
import { useDatabase } from "#tests/support/database";
import { newEvent } from "#tests/support/new-event";
import { makeWorkspace } from "#tests/support/webhooks";

useDatabase();

it("says how many events of the last second shared a commit, of the newest 64 of all workspaces", async () => {
  expect(await readNewestCommits()).toEqual({ seq: null, events: 0, commits: 0 });
  const [first, second] = [await makeWorkspace(), await makeWorkspace()];
  let written = 0;
  const commit = ({ workspaceId, sourceId }: typeof first, size: number, receivedAt: Date) =>
    appendEvents(
      pool("receiver"),
      Array.from({ length: size }, () => {
        written += 1;
        const eventId = `evt_${written}`;
        return newEvent({ workspaceId, sourceId, eventId, type: "document.uploaded", created: 1, body: Buffer.from("{}"), receivedAt });
      }),
    );
  const at = (ms: number) => new Date(Date.UTC(2026, 5, 1) + ms);
  await commit(first, 20, at(0));
  await commit(second, 20, at(100));
  await commit(first, 20, at(200));
  const crowded = await readNewestCommits();
  expect(crowded).toMatchObject({ events: 60, commits: 3 });
  for (let n = 0; n < 10; n += 1) await commit(second, 1, at(500));
  expect(await readNewestCommits()).toMatchObject({ events: 64, commits: 13 });
  await commit(first, 1, at(5000));
  const alone = await readNewestCommits();
  expect(alone).toMatchObject({ events: 1, commits: 1 });
  expect(alone.seq).toBeGreaterThan(crowded.seq ?? 0);
});

it("the time that orders an event is the same in SQL and in code", async () => {
  const received = fc.integer({ min: 946_684_800_000, max: 4_102_444_800_000 });
  const near = fc.tuple(received, fc.integer({ min: -400_000, max: 400_000 }), fc.constantFrom(0.001, 1, 1000));
  const anywhere = fc.tuple(received, fc.oneof(fc.maxSafeInteger(), fc.constantFrom(0, -1, 1, 1e11 - 1, 1e11, 1e14 - 1, 1e14)));
  const cases = [
    ...fc.sample(near, 500).map(([at, ahead, unit]) => ({ at, created: Math.round((at + ahead) * unit) })),
    ...fc.sample(anywhere, 500).map(([at, created]) => ({ at, created })),
  ];
  const { rows } = await pool().query<{ seconds: number }>(
    `SELECT ${eventSecondsSql("e")} AS seconds FROM unnest($1::timestamptz[], $2::bigint[]) WITH ORDINALITY AS e(received_at, created, n) ORDER BY n`,
    [cases.map(({ at }) => new Date(at).toISOString()), cases.map(({ created }) => created)],
  );
  expect(rows.map(({ seconds }) => seconds)).toEqual(cases.map(({ at, created }) => eventSeconds(created, new Date(at))));
});
