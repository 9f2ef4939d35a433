import pg from "pg";
import { expect, it } from "vitest";
import { inTransaction, pool } from "#lib/db/pool";
import { type ChangeCursor, type ChangedViews, listChangedViews } from "#lib/views/view-store";
import { useDatabase } from "#tests/support/database";

const database = useDatabase();

const START: ChangeCursor = { xid: "0", key: [] };

const read = (cursor: ChangeCursor) => inTransaction(pool(), (client) => listChangedViews(client, ["task"], cursor, 500));
/** Everything after a cursor. */
async function readAll(from: ChangeCursor): Promise<{ ids: string[]; cursor: ChangeCursor }> {
  const ids: string[] = [];
  for (let cursor = from; ; ) {
    const page = await read(cursor);
    ids.push(...idsOf(page));
    ({ cursor } = page);
    if (!page.more) return { ids, cursor };
  }
}
const idsOf = ({ changed }: ChangedViews) => changed.map(({ record }) => record.id).sort();

const INSERT = "INSERT INTO views (workspace_id, kind, id, registers, state, last_created) VALUES ('other', 'task', $1, '{}', 'open', 1)";
const CHANGE = "UPDATE views SET updated_at = $2, registers = '{}' WHERE workspace_id = 'other' AND id = $1";

/** A session of whose transactions the server's statistics say nothing. */
async function unseenSession(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: database.url() });
  await client.connect();
  await client.query("SET track_activities = off");
  return client;
}

it("a change that is committed late is read, though the server does not show when its transaction began", async () => {
  await pool().query(INSERT, ["late"]);
  const { cursor } = await readAll(START);
  const late = await unseenSession();
  await late.query("BEGIN");
  await late.query(CHANGE, ["late", new Date()]);
  await pool().query(INSERT, ["soon"]);
  const before = await read(cursor);
  const again = await read(before.cursor);
  await late.query("COMMIT");
  await late.end();
  const after = await read(again.cursor);
  expect([before, again, after].flatMap(idsOf).sort()).toEqual(["late", "soon"]);
});

it("a change is read that a server or a worker of the release before calls older than what was read", async () => {
  await pool().query(INSERT, ["behind"]);
  const { cursor } = await readAll(START);
  await pool().query(CHANGE, ["behind", new Date(Date.now() - 3_600_000)]);
  expect(idsOf(await read(cursor))).toEqual(["behind"]);
});

it("views of one transaction that share an ID are all read, wherever a page ends", async () => {
  const { cursor: before } = await readAll(START);
  await pool().query(
    `INSERT INTO views (workspace_id, kind, id, registers, state, last_created)
     SELECT w, k, 'same', '{}', 'open', 1 FROM unnest(ARRAY['a', 'b', 'c']) w, unnest(ARRAY['document', 'task']) k`,
  );
  let cursor = before;
  let found = 0;
  for (let more = true; more; ) {
    const page = await inTransaction(pool(), (client) => listChangedViews(client, ["task", "document"], cursor, 1));
    found += idsOf(page).filter((id) => id === "same").length;
    ({ cursor, more } = page);
  }
  expect(found).toBe(6);
});

it("a place that another cluster had come to does not make the watch pass over what changes", async () => {
  await pool().query(INSERT, ["restored"]);
  expect((await readAll({ xid: String(2n ** 60n), key: [] })).ids).toContain("restored");
});
