import { expect, test } from "vitest";
import { listAudit } from "#lib/auth/audit/audit-store";
import { pool } from "#lib/db/pool";
import { findQuarantined } from "#lib/quarantine/quarantine-store";
import { adoptOwnerless } from "#lib/sandbox/sandbox-store";
import { listNewest } from "#lib/sandbox/webhooks/deliveries-store";
import { makeAccount } from "#tests/support/account";
import { useDatabase } from "#tests/support/database";
import { clearWorlds, makeExampleWorld } from "#tests/support/example-world";

// During an update code of the release before runs on the same database, under the names it knows.

useDatabase();

test("a request that the release before releases is released here, and the other way round", async () => {
  await clearWorlds();
  const { workspaceId } = await makeExampleWorld();
  const { rows } = await pool().query<{ id: string }>(
    "UPDATE quarantine SET admitted_at = now(), admitted_by = 'ada' WHERE workspace_id = $1 AND admitted_at IS NULL RETURNING id",
    [workspaceId],
  );
  const id = rows[0]?.id ?? "";
  expect((await findQuarantined(workspaceId, id))?.releasedAt).toBeInstanceOf(Date);
  await pool().query("UPDATE quarantine SET admitted_at = NULL, admitted_by = NULL, released_at = NULL, released_by = NULL WHERE id = $1", [
    id,
  ]);
  await pool().query("UPDATE quarantine SET released_at = now(), released_by = 'ada' WHERE id = $1", [id]);
  const { rows: now } = await pool().query("SELECT admitted_at = released_at AS same, admitted_by AS by FROM quarantine WHERE id = $1", [
    id,
  ]);
  expect(now).toEqual([{ same: true, by: "ada" }]);
});

test("the detection of missing events goes on where the release before stopped, under its old name", async () => {
  await pool().query(
    "INSERT INTO finding_watch (id, updated_at, view_id, heard_at) VALUES (1, 'epoch', '', '2026-01-01') ON CONFLICT DO NOTHING",
  );
  await pool().query("UPDATE finding_watch SET heard_at = '2026-01-02T00:00:00Z' WHERE id = 1");
  const { rows } = await pool().query<{ at: Date }>("SELECT arrivals_until AS at FROM missing_event_watch");
  expect(rows[0]?.at.toISOString()).toBe("2026-01-02T00:00:00.000Z");
});

test("what the sandbox of the release before sends is listed under its present names", async () => {
  await pool().query(
    "INSERT INTO sandbox_deliveries (event_id, type, body, story) VALUES ('evt_old', 'document.uploaded', '{}', 'document_to_done')",
  );
  await pool().query("UPDATE sandbox_deliveries SET state = 'given_up' WHERE event_id = 'evt_old'");
  const { workspaceId } = await makeAccount();
  await adoptOwnerless(workspaceId);
  expect(await listNewest(workspaceId, 1)).toMatchObject([{ eventId: "evt_old", scenario: "document_to_done", state: "failed" }]);
});

test("entries of the audit log under earlier names are shown and found under the present ones", async () => {
  const { workspaceId } = await makeAccount();
  for (const [action, kind] of [
    ["sign_in.refused", "stranger"],
    ["sandbox.use", "person"],
  ])
    await pool().query("INSERT INTO audit_entries (workspace_id, action, actor_kind, actor_name) VALUES ($1, $2, $3, 'ada')", [
      workspaceId,
      action,
      kind,
    ]);
  const { data } = await listAudit(workspaceId, { action: "sign_in.rejected" }, { limit: 10 });
  expect(data).toMatchObject([{ action: "sign_in.rejected", does: "Rejected at single sign-on", actor: { kind: "anonymous" } }]);
  const { data: all } = await listAudit(workspaceId, {}, { limit: 10 });
  expect(all.map(({ does }) => does)).toContain("Used the sandbox");
});
