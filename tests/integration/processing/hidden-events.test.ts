import { expect, it } from "vitest";
import { pool } from "#lib/db/pool";
import { processEvents } from "#lib/flows/processing/process-events";
import { useDatabase } from "#tests/support/database";
import { append } from "#tests/support/log-writer";
import { makeWorkspace } from "#tests/support/webhooks";

useDatabase();

it("an event that a transaction hides from its claim, just as that ends, is claimed in the same round", async () => {
  const { workspaceId, sourceId } = await makeWorkspace();
  // The horizon is low for its second reader alone: the first says what is due, the second claims it.
  await pool().query(`ALTER FUNCTION log_horizon() RENAME TO real_horizon; CREATE SEQUENCE readers;
    CREATE FUNCTION log_horizon() RETURNS xid8 LANGUAGE plpgsql AS
      $$ BEGIN RETURN CASE WHEN nextval('readers') = 2 THEN '0'::xid8 ELSE real_horizon() END; END $$`);
  await append(workspaceId, sourceId, [{ eventId: "evt_hidden", type: "document.uploaded", created: 5, data: { documentId: "doc" } }]);
  expect(await processEvents()).toBe(1);
  const { rows } = await pool().query<{ read: number }>("SELECT last_value AS read FROM readers");
  expect(rows[0]?.read).toBeGreaterThan(2);
});
