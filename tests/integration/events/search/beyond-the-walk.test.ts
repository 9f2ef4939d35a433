import { expect, it } from "vitest";
import { pool } from "#lib/db/pool";
import { listEvents } from "#lib/events/event-store";
import { indexEvents } from "#lib/flows/events/index-for-search";
import { useDatabase } from "#tests/support/database";
import { fillLog } from "#tests/support/large-log";
import { makeWorkspace } from "#tests/support/webhooks";

useDatabase();

it("a word that the newest events have too seldom for a page is found in its order to the last, page after page", async () => {
  const place = await makeWorkspace();
  const { workspaceId } = place;
  await fillLog({ ...place, events: 10_000 });
  while ((await indexEvents(5000)) > 0);
  const { rows } = await pool().query<{ id: string }>(
    `SELECT event_id AS id FROM events WHERE workspace_id = $1 AND convert_from(body, 'UTF8')::json -> 'data' ->> 'status' = 'failed'
     ORDER BY received_at DESC, seq DESC`,
    [workspaceId],
  );
  const expected = rows.map(({ id }) => id);
  expect(expected).toHaveLength(20);
  // Of the newest 4,000, 8 have it: too few for a page of 8 and one more.
  for (const limit of [3, 8, 11, 19, 20, 50]) {
    const found: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await listEvents(workspaceId, { q: "data.status:failed" }, { now: new Date(), limit, cursor });
      found.push(...page.data.map(({ id }) => id));
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    expect([limit, found]).toEqual([limit, expected]);
  }
});
