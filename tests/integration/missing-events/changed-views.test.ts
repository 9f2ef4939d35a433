import pg from "pg";
import { expect, it } from "vitest";
import { pool } from "#lib/db/pool";
import { type ChangeCursor, listChangedViews } from "#lib/views/changed-view-store";
import { useDatabase } from "#tests/support/database";

const database = useDatabase();

const WRITERS = 8;
const CHANGES = 300;

/** Saves views one after another, each in a transaction of its own that takes a few milliseconds. */
async function saveViews(writer: number): Promise<void> {
  const client = new pg.Client({ connectionString: database.url() });
  await client.connect();
  for (let n = 0; n < CHANGES; n += 1) {
    await client.query("BEGIN");
    if (n % 3 === 0) await client.query("SELECT pg_sleep(0.003)");
    await client.query(
      `INSERT INTO views (workspace_id, kind, id, registers, state, last_created, updated_at) VALUES ('ws', 'task', $1, '{}', 'open', 1, now())`,
      [`${writer}-${n}`],
    );
    await client.query("COMMIT");
  }
  await client.end();
}

it("the watch for changed views skips none, whichever transactions commit while it reads", async () => {
  let [cursor, writing]: [ChangeCursor, boolean] = [{ updatedAt: new Date(0), viewId: "" }, true];
  const writers = Promise.all(Array.from({ length: WRITERS }, (_, writer) => saveViews(writer))).finally(() => {
    writing = false;
  });
  const seen = new Set<string>();
  const readers = Array.from({ length: 1 }, async () => {
    for (let idle = 0; idle < 3; ) {
      const page = await listChangedViews(["task"], cursor, 500);
      for (const { record } of page.changed) seen.add(record.id);
      cursor = page.cursor;
      if (!writing && !page.more) {
        idle += 1;
        await new Promise((resolve) => setTimeout(resolve, 700));
      }
    }
  });
  await Promise.all([writers, ...readers]);
  const { rows } = await pool().query<{ id: string }>("SELECT id FROM views WHERE workspace_id = 'ws'");
  expect(rows).toHaveLength(WRITERS * CHANGES);
  expect(rows.filter(({ id }) => !seen.has(id))).toEqual([]);
}, 120_000);
