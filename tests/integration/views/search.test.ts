import { describe, expect, it } from "vitest";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { ViewKind } from "#lib/contracts/views";
import { pool } from "#lib/db/pool";
import { searchViews } from "#lib/flows/views/read-views";
import { searchWords } from "#lib/views/stored-record";
import { useDatabase } from "#tests/support/database";
import { makeWorkspace } from "#tests/support/webhooks";

useDatabase();

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
