import { expect, it } from "vitest";
import { pool } from "#lib/db/pool";
import { workSearchIndex } from "#lib/flows/events/index-for-search";
import { listNamedEvents } from "#lib/flows/views/read-views";
import { useDatabase } from "#tests/support/database";
import { append, fileAll } from "#tests/support/log-writer";
import { listUnfiled, loseUnlogged } from "#tests/support/lost-search";
import { makeWorkspace } from "#tests/support/webhooks";

useDatabase();

it("an event that filing fails of is filed by its ID and type, and the others whole", async () => {
  const { workspaceId, sourceId } = await makeWorkspace();
  const events = Array.from({ length: 9 }, (_, n) => ({
    eventId: `evt_${n}`,
    type: "push",
    created: 1_760_000_000,
    data: { word: "maple" },
  }));
  await append(workspaceId, sourceId, events);
  await fileAll();
  await loseUnlogged();
  const { rows } = await pool().query<{ seq: number }>("SELECT seq FROM events WHERE event_id = 'evt_7'");
  await pool().query(`ALTER TABLE event_search ADD CONSTRAINT poison CHECK (seq <> ${rows[0]?.seq} OR length(terms) < 4) NOT VALID`);
  try {
    while ((await listUnfiled()).length > 0) await workSearchIndex();
    while (await workSearchIndex());
  } finally {
    await pool().query("ALTER TABLE event_search DROP CONSTRAINT poison");
  }
  const search = (q: string) => listNamedEvents(workspaceId, { q }, { limit: 20, now: new Date() });
  expect((await search("maple")).data).toHaveLength(8);
  expect((await search("evt_7")).data).toHaveLength(1);
  expect(await search("maple")).not.toHaveProperty("searchedBackTo");
});
