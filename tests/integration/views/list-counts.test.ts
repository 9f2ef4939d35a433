import { describe, expect, it } from "vitest";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { ViewKind } from "#lib/contracts/views";
import { pool } from "#lib/db/pool";
import { listViewPage } from "#lib/flows/views/read-views";
import { useDatabase } from "#tests/support/database";
import { makeWorkspace } from "#tests/support/webhooks";

useDatabase();

const insert = (workspaceId: WorkspaceId, kind: ViewKind, id: string, state: string, parent: string | null = null) =>
  pool().query("INSERT INTO views (workspace_id, kind, id, registers, state, parent, last_created) VALUES ($1, $2, $3, $4, $5, $6, 1)", [
    workspaceId,
    kind,
    id,
    { state: { v: state, at: 1, rank: 1, id: "evt_1" } },
    state,
    parent,
  ]);

describe("a list of parents", () => {
  it("counts each pipeline's tasks by state, and those of no other pipeline or workspace", async () => {
    const { workspaceId } = await makeWorkspace();
    const other = await makeWorkspace();
    await insert(workspaceId, "pipeline", "pipe_1", "active");
    await insert(workspaceId, "pipeline", "pipe_2", "active");
    for (const [id, state] of [
      ["task_1", "open"],
      ["task_2", "completed"],
      ["task_3", "completed"],
    ] as const)
      await insert(workspaceId, "task", id, state, "pipe_1");
    await insert(workspaceId, "run", "run_1", "error", "pipe_1");
    await insert(other.workspaceId, "task", "task_1", "open", "pipe_1");
    const { data } = await listViewPage(workspaceId, "pipeline", { limit: 50 });
    expect(data.map(({ id, childStates }) => [id, childStates])).toEqual([
      ["pipe_1", { completed: 2, open: 1 }],
      ["pipe_2", {}],
    ]);
  });

  it("counts nothing for a kind that has nothing under it", async () => {
    const { workspaceId } = await makeWorkspace();
    await insert(workspaceId, "document", "doc_1", "uploaded");
    const { data } = await listViewPage(workspaceId, "document", { limit: 50 });
    expect(data[0]).not.toHaveProperty("childStates");
  });
});
