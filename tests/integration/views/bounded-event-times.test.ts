import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { pool } from "#lib/db/pool";
import { readView } from "#lib/flows/views/read-view";
import { useDatabase } from "#tests/support/database";
import { append, drainInbox } from "#tests/support/log-writer";
import { forgetEvents, rebuild } from "#tests/support/rebuild";
import { makeWorkspace } from "#tests/support/webhooks";

useDatabase();

const MIGRATION = readFileSync("prisma/migrations/20261122103000_bounded_event_times/migration.sql", "utf8");
const NOW = Math.floor(Date.now() / 1000);

it("a record that was stored with times from the future takes the next event after the migration", async () => {
  const { workspaceId, sourceId } = await makeWorkspace();
  const milliseconds = (NOW - 100) * 1000;
  const created = (eventId: string, taskId: string) => ({
    eventId,
    type: "task.created",
    created: milliseconds,
    data: { taskId, pipelineId: "p", stage: "Inbox" },
  });
  await append(workspaceId, sourceId, [created("held", "task_held"), created("gone", "task_gone")]);
  await drainInbox();
  const stored = JSON.stringify({
    state: { v: "open", at: milliseconds, rank: 10, id: "held" },
    title: { v: "Old", at: NOW - 50, rank: 10, id: "other" },
    stage: { v: "Inbox", at: milliseconds, rank: 10, id: "held" },
  });
  await pool().query(
    "UPDATE views SET registers = $2::jsonb, last_created = $3 WHERE workspace_id = $1 AND kind = 'task' AND id = 'task_held'",
    [workspaceId, stored, milliseconds],
  );
  await pool().query(
    "UPDATE views SET registers = replace($2::text, 'held', 'gone')::jsonb, last_created = $3 WHERE workspace_id = $1 AND kind = 'task' AND id = 'task_gone'",
    [workspaceId, stored.replaceAll(String(milliseconds), "32503680000"), 32_503_680_000],
  );
  await pool().query("UPDATE task_moves SET at = $2 WHERE workspace_id = $1", [workspaceId, milliseconds]);
  await forgetEvents(["gone"]);
  await pool().query(MIGRATION);
  const { rows } = await pool().query<{ id: string; at: number; title: number; last_created: number }>(
    `SELECT id, (registers->'stage'->>'at')::bigint AS at, (registers->'title'->>'at')::bigint AS title, last_created
       FROM views WHERE workspace_id = $1 AND kind = 'task' ORDER BY id DESC`,
    [workspaceId],
  );
  expect(rows[0]).toEqual({ id: "task_held", at: NOW - 100, title: NOW - 50, last_created: NOW - 50 });
  expect(Math.abs((rows[1]?.at ?? 0) - NOW)).toBeLessThan(120);
  expect(rows[1]?.title).toBe(NOW - 50);
  const moves = await pool().query<{ at: number }>("SELECT DISTINCT at FROM task_moves WHERE workspace_id = $1", [workspaceId]);
  expect(moves.rows).toEqual([{ at: NOW - 100 }]);
  for (const taskId of ["task_held", "task_gone"])
    await append(workspaceId, sourceId, [
      { eventId: `next_${taskId}`, type: "pipeline.stage_changed", created: NOW + 200, data: { taskId, toStage: "Done" } },
    ]);
  await drainInbox();
  for (const id of ["task_held", "task_gone"]) expect((await readView(workspaceId, "task", id, null))?.fields.stage?.value).toBe("Done");
  await rebuild(workspaceId);
  expect(await rebuild(workspaceId, { dryRun: true })).toMatchObject({ missing: 0, surplus: 0, different: 0 });
});
