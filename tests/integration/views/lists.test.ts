import { describe, expect, it, test } from "vitest";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { ViewKind } from "#lib/contracts/views";
import { pool } from "#lib/db/pool";
import { listViewPage, searchViews } from "#lib/flows/views/read-views";
import { searchWords } from "#lib/views/stored-record";
import { countViews, listViews } from "#lib/views/view-list-store";
import { useDatabase } from "#tests/support/database";
import { makeApplied } from "#tests/support/log-writer";
import { makeWorkspace } from "#tests/support/webhooks";

useDatabase();

/** Documents 0 to 6, two of them created in the same second. */
async function documents(): Promise<WorkspaceId> {
  const { workspaceId } = await makeApplied(
    [0, 1, 2, 3, 3, 4, 5].map((at, n) => ({
      eventId: `e${n}`,
      type: n === 6 ? "document.error" : "document.uploaded",
      created: 1000 + at,
      data: { documentId: `doc_${n}`, fileName: `File ${n}.pdf` },
    })),
  );
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

const insertIn = (workspaceId: WorkspaceId, kind: ViewKind, id: string, state: string, parent: string | null = null) =>
  pool().query("INSERT INTO views (workspace_id, kind, id, registers, state, parent, last_created) VALUES ($1, $2, $3, $4, $5, $6, 1)", [
    workspaceId,
    kind,
    id,
    { state: { v: state, at: 1, rank: 1, id: "evt_1" } },
    state,
    parent,
  ]);

describe("a list of parents", () => {
  it("counts each pipeline's tasks by state, and those of no other pipeline or workspace; nothing for a kind that has nothing under it", async () => {
    const { workspaceId } = await makeWorkspace();
    const other = await makeWorkspace();
    await insertIn(workspaceId, "pipeline", "pipe_1", "active");
    await insertIn(workspaceId, "pipeline", "pipe_2", "active");
    for (const [id, state] of [
      ["task_1", "open"],
      ["task_2", "completed"],
      ["task_3", "completed"],
    ] as const)
      await insertIn(workspaceId, "task", id, state, "pipe_1");
    await insertIn(workspaceId, "run", "run_1", "error", "pipe_1");
    await insertIn(other.workspaceId, "task", "task_1", "open", "pipe_1");
    const { data } = await listViewPage(workspaceId, "pipeline", { limit: 50 });
    expect(data.map(({ id, childStates }) => [id, childStates])).toEqual([
      ["pipe_1", { completed: 2, open: 1 }],
      ["pipe_2", {}],
    ]);
    await insertIn(workspaceId, "document", "doc_1", "uploaded");
    expect((await listViewPage(workspaceId, "document", { limit: 50 })).data[0]).not.toHaveProperty("childStates");
  });
});

async function insert(workspaceId: WorkspaceId, kind: ViewKind, id: string, label: string, created = 1) {
  const field = kind === "task" ? "title" : "name";
  await pool().query(
    "INSERT INTO views (workspace_id, kind, id, registers, state, words, last_created) VALUES ($1, $2, $3, $4, 'open', $5, $6)",
    [workspaceId, kind, id, { [field]: { v: label, at: created, rank: 1, id: "evt_1" } }, searchWords(id, label), created],
  );
}

describe("the search for records", () => {
  it("finds a document by its file name, a task by a part of its title and both by id, in one workspace alone", async () => {
    const { workspaceId } = await makeWorkspace();
    const other = await makeWorkspace();
    await insert(workspaceId, "document", "doc_77", "Invoice-2041.pdf");
    await insert(workspaceId, "task", "task_5", "Approve the invoice of Acme");
    await insert(other.workspaceId, "document", "doc_78", "Invoice-2041.pdf");
    const labels = async (q: string) => (await searchViews(workspaceId, q)).data.map(({ id }) => id).sort();
    expect(await labels("invoice-2041.PDF")).toEqual(["doc_77"]);
    expect(await labels("acme approve")).toEqual(["task_5"]);
    expect(await labels("invoice")).toEqual(["doc_77", "task_5"]);
    expect(await labels("task_5")).toEqual(["task_5"]);
  });

  it("puts the record of that very name first, however many newer ones begin with it", async () => {
    const { workspaceId } = await makeWorkspace();
    await insert(workspaceId, "document", "doc_exact", "scan 1", 1);
    for (let n = 0; n < 40; n++) await insert(workspaceId, "document", `doc_${n}`, `scan 1${n}`, 100 + n);
    const { data, complete } = await searchViews(workspaceId, "scan 1");
    expect(complete).toBe(true);
    expect(data).toHaveLength(12);
    expect(data[0]?.id).toBe("doc_exact");
  });

  it("forgives one slip in a word: two letters swapped, one wrong, missing or too many", async () => {
    const { workspaceId } = await makeWorkspace();
    await insert(workspaceId, "document", "doc_1", "contract.pdf");
    for (const typed of ["contarct", "contrakt", "contrct", "contrract", "ocntract"]) {
      const { data, approximate } = await searchViews(workspaceId, typed);
      expect([typed, approximate, data.map(({ id }) => id)]).toEqual([typed, true, ["doc_1"]]);
    }
    expect((await searchViews(workspaceId, "contact list")).data).toEqual([]);
    expect((await searchViews(workspaceId, "conrtatc")).data).toEqual([]);
  });

  it("takes what is typed to the letter: wildcards and signs of a regular expression find only themselves", async () => {
    const { workspaceId } = await makeWorkspace();
    await insert(workspaceId, "document", "doc_1", "100% (final) [v2].pdf");
    for (const typed of ["100% (fin", "[v2].pdf"]) expect((await searchViews(workspaceId, typed)).data).toHaveLength(1);
    for (const typed of ["1%0", "f.nal[", "....", "(((((", "\\\\\\\\d", "____"]) {
      const answer = await searchViews(workspaceId, typed);
      expect([typed, answer.data.length, answer.complete]).toEqual([typed, 0, true]);
    }
  });
});
