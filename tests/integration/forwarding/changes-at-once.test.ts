import { expect, it } from "vitest";
import { pool } from "#lib/db/pool";
import { changeDestination } from "#lib/flows/forwarding/destinations";
import { makeChannel } from "#tests/support/alerts/alerts";
import { contextOf } from "#tests/support/context";
import { useDatabase } from "#tests/support/database";
import { makeDestination, ownerOf } from "#tests/support/forwarding/destinations";
import { makeWorkspace } from "#tests/support/webhooks";

useDatabase({ FORWARD_ALLOW: "127.0.0.1/32" });

it("two people who change different settings of a destination at once both have their way", async () => {
  const { workspaceId } = await makeWorkspace();
  const { id } = await makeDestination(workspaceId, { url: "http://127.0.0.1:9999/" });
  const owner = ownerOf(workspaceId);
  for (let n = 1; n <= 10; n += 1) {
    await Promise.all([changeDestination(contextOf(owner), id, { rate: n }), changeDestination(contextOf(owner), id, { concurrency: n })]);
    expect(await changeDestination(contextOf(owner), id, {})).toMatchObject({ rate: n, concurrency: n });
  }
});

it("of many who add one at once to a workspace that has room for one more, one may: destinations, alert channels", async () => {
  const { workspaceId } = await makeWorkspace();
  const url = "http://127.0.0.1:9999/";
  await makeDestination(workspaceId, { url });
  await makeChannel(workspaceId, { kind: "webhook", url });
  const kinds: [table: string, id: string, limit: number, add: () => Promise<unknown>][] = [
    ["destinations", "dst_copy_", 100, () => makeDestination(workspaceId, { url })],
    ["alert_channels", "alc_copy_", 50, () => makeChannel(workspaceId, { kind: "webhook", url })],
  ];
  for (const [table, id, limit, add] of kinds) {
    await copyRow(table, id, workspaceId, limit - 2);
    const added = await Promise.allSettled(Array.from({ length: 6 }, add));
    expect([table, added.filter(({ status }) => status === "fulfilled").length]).toEqual([table, 1]);
  }
});

/** Copies the workspace's only row of a table so often, under other IDs. */
async function copyRow(table: string, id: string, workspaceId: string, times: number): Promise<void> {
  const { rows } = await pool().query<{ names: string }>(
    `SELECT string_agg(quote_ident(column_name), ', ') AS names FROM information_schema.columns
     WHERE table_schema = current_schema() AND table_name = $1 AND column_name NOT IN ('id', 'seq') AND is_generated = 'NEVER'`,
    [table],
  );
  await pool().query(
    `INSERT INTO ${table} (id, ${rows[0]?.names}) SELECT $2 || n, ${rows[0]?.names} FROM ${table}, generate_series(1, $3) n WHERE workspace_id = $1`,
    [workspaceId, id, times],
  );
}
