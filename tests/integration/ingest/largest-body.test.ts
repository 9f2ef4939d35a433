import { expect, it } from "vitest";
import { pool } from "#lib/db/pool";
import { useDatabase } from "#tests/support/database";
import { useNodeReceiver } from "#tests/support/receivers";
import { makeWorkspace, signed } from "#tests/support/webhooks";

const MIB = 1_048_576;
/** The largest that the setting allows (docs/configuration.md). */
useDatabase({ WEBHOOK_MAX_BYTES: String(64 * MIB) });

const receiver = useNodeReceiver();

it("a signed body that is no event, and larger than all that may wait for quarantine, is kept whole", async () => {
  const { source, sourceId } = await makeWorkspace();
  const body = JSON.stringify(["x".repeat(17 * MIB)]);
  expect((await receiver.send(source, signed(body))).status).toBe(202);
  const { rows } = await pool().query("SELECT octet_length(body) AS bytes FROM quarantine WHERE source_id = $1", [sourceId]);
  expect(rows).toEqual([{ bytes: body.length }]);
}, 120_000);
