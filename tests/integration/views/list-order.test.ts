import { expect, test } from "vitest";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { countViews, listViews } from "#lib/views/view-list-store";
import { useDatabase } from "#tests/support/database";
import { append, drainInbox } from "#tests/support/log-writer";
import { makeWorkspace } from "#tests/support/webhooks";

useDatabase();

/** Documents 0 to 6, two of them created in the same second. */
async function documents(): Promise<WorkspaceId> {
  const { workspaceId, sourceId } = await makeWorkspace();
  await append(
    workspaceId,
    sourceId,
    [0, 1, 2, 3, 3, 4, 5].map((at, n) => ({
      eventId: `e${n}`,
      type: n === 6 ? "document.error" : "document.uploaded",
      created: 1000 + at,
      data: { documentId: `doc_${n}`, fileName: `File ${n}.pdf` },
    })),
  );
  await drainInbox();
  return workspaceId;
}

async function walk(workspaceId: WorkspaceId, order: "asc" | "desc"): Promise<string> {
  let ids = "";
  let cursor: string | undefined;
  do {
    const page = await listViews(workspaceId, "document", { limit: 2, order, cursor });
    ids += page.data.map(({ id }) => id.slice(4)).join("");
    cursor = page.nextCursor ?? undefined;
  } while (cursor);
  return ids;
}

test("the oldest first is the newest first backwards, page by page, and a cursor belongs to its order", async () => {
  const workspaceId = await documents();
  const newest = await walk(workspaceId, "desc");
  expect(newest).toHaveLength(7);
  expect(await walk(workspaceId, "asc")).toBe([...newest].reverse().join(""));
  const { nextCursor } = await listViews(workspaceId, "document", { limit: 2, order: "asc" });
  await expect(listViews(workspaceId, "document", { limit: 2, cursor: nextCursor ?? "" })).rejects.toMatchObject({
    code: "invalid_request",
  });
});

test("a list is counted as it is filtered", async () => {
  const workspaceId = await documents();
  expect(await countViews(workspaceId, "document", {})).toBe(7);
  expect(await countViews(workspaceId, "document", { failed: true })).toBe(1);
  expect(await countViews(workspaceId, "document", { q: "File 3" })).toBe(1);
  expect(await countViews(workspaceId, "task", {})).toBe(0);
});
