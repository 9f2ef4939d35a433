import { expect, it } from "vitest";
import { pool } from "#lib/db/pool";
import { readNewestCommits } from "#lib/events/log/event-body-store";
import { appendEvents } from "#lib/ingest/log-store";
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
