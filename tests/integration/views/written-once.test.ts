import { beforeEach, expect, test } from "vitest";
import { inTransaction, pool } from "#lib/db/pool";
import type { Registers } from "#lib/views/fold/register";
import { type FoldedView, findView, mergeIntoViews } from "#lib/views/view-store";
import { useDatabase } from "#tests/support/database";
import { append, drainInbox } from "#tests/support/log-writer";
import { untilBlocked } from "#tests/support/other-session";
import { rebuild } from "#tests/support/rebuild";
import { makeWorkspace } from "#tests/support/webhooks";

useDatabase();

let world: Awaited<ReturnType<typeof makeWorkspace>>;
beforeEach(async () => {
  world = await makeWorkspace();
});

/** Has the database note every row of views that is written, by the operation. */
async function countWrites(): Promise<void> {
  await pool().query(`
    CREATE TABLE IF NOT EXISTS view_writes (op text NOT NULL);
    TRUNCATE view_writes;
    CREATE OR REPLACE FUNCTION count_view_write() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN INSERT INTO view_writes VALUES (TG_OP); RETURN NULL; END $$;
    CREATE OR REPLACE TRIGGER count_view_write AFTER INSERT OR UPDATE ON views FOR EACH ROW EXECUTE FUNCTION count_view_write()`);
}

async function writes(): Promise<Record<string, number>> {
  const { rows } = await pool().query<{ op: string; n: number }>("SELECT op, count(*) AS n FROM view_writes GROUP BY op");
  return Object.fromEntries(rows.map(({ op, n }) => [op, n]));
}

const uploaded = (n: number) => ({
  eventId: `e_up_${n}`,
  type: "document.uploaded",
  created: 1000,
  data: { documentId: `doc_${n}`, fileName: `File ${n}.pdf` },
});
const processed = (n: number) => ({ ...uploaded(n), eventId: `e_pr_${n}`, type: "document.processed", created: 1001 });
const numbers = Array.from({ length: 40 }, (_, n) => n);

test("a new record is written once, and one that is there once with each batch", async () => {
  const { workspaceId, sourceId } = world;
  await countWrites();
  await append(workspaceId, sourceId, numbers.slice(0, 30).map(uploaded));
  await drainInbox();
  expect(await writes()).toEqual({ INSERT: 30 });
  await append(workspaceId, sourceId, numbers.map(processed));
  await drainInbox();
  expect(await writes()).toEqual({ INSERT: 40, UPDATE: 30 });
  const report = await rebuild(workspaceId, { dryRun: true });
  expect(report).toMatchObject({ missing: 0, surplus: 0, different: 0 });
});

const fold = (id: string, registers: Registers) => ({ workspaceId: world.workspaceId, kind: "document" as const, id, registers });
const register = (v: string, at: number) => ({ v, at, rank: 10, id: `evt_${at}` });

const work = (folds: FoldedView[]) => inTransaction(pool("worker"), (client) => mergeIntoViews(client, folds));

/** Makes a record in a transaction that goes on until `end`; resolves when it is made. */
async function making(made: FoldedView): Promise<{ end: (how: "COMMIT" | "ROLLBACK") => Promise<void> }> {
  const client = await pool().connect();
  await client.query("BEGIN");
  await mergeIntoViews(client, [made]);
  return { end: (how) => client.query(how).then(() => client.release()) };
}

test("what another worker made meanwhile is merged with, not overwritten and not lost", async () => {
  const first = await making(fold("doc_raced", { name: register("early.pdf", 5), organizationId: register("org", 5) }));
  const second = work([fold("doc_after", { name: register("b.pdf", 6) }), fold("doc_raced", { name: register("late.pdf", 6) })]);
  await untilBlocked();
  await first.end("COMMIT");
  await second;
  const found = await findView(world.workspaceId, "document", "doc_raced");
  expect(found?.fields).toMatchObject({
    name: { value: "late.pdf", eventId: "evt_6" },
    organizationId: { value: "org", eventId: "evt_5" },
  });
  expect((await findView(world.workspaceId, "document", "doc_after"))?.label).toBe("b.pdf");
});

test("workers that make the same records, named in other orders, wait for one another instead of deadlocking", async () => {
  const other = await making(fold("doc_m", { name: register("given up", 1) }));
  const folds = (at: number) => ["doc_a", "doc_m", "doc_z"].map((id) => fold(id, { [`data.of${at}`]: register(`${at}`, at) }));
  const workers = Promise.all([work(folds(1)), work(folds(2).toReversed())]);
  await untilBlocked("%", 2);
  await other.end("ROLLBACK");
  await workers;
  for (const { id } of folds(1)) {
    const found = await findView(world.workspaceId, "document", id);
    expect(Object.keys(found?.fields ?? {})).toEqual(["data.of1", "data.of2"]);
  }
});
