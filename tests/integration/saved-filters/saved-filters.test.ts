import { expect, test } from "vitest";
import type { Actor } from "#lib/auth/actor";
import { findPreferences } from "#lib/auth/members/user-store";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { Role } from "#lib/contracts/auth/settings";
import type { CreateSavedFilterBody } from "#lib/contracts/saved-filters";
import { prisma } from "#lib/db/prisma";
import { changePreferences } from "#lib/flows/members/manage-account";
import { changeSavedFilter, createSavedFilter, deleteSavedFilter, readSavedFilters } from "#lib/flows/saved-filters/manage-saved-filters";
import { contextOf } from "#tests/support/context";
import { useDatabase } from "#tests/support/database";
import { makeWorkspace } from "#tests/support/webhooks";

useDatabase();

const person = (workspaceId: WorkspaceId, name: string, role: Role): Actor => ({
  workspaceId,
  workspaceName: "Acme",
  role,
  by: { kind: "session", sessionHash: `hash of ${name}`, userId: `usr_${name}`, email: `${name}@example.com`, name },
});

const FAILED: CreateSavedFilterBody = { name: "Failed", page: "events", filter: { state: ["failed"], period: ["24h"] }, shared: false };
const save = (actor: Actor, part: Partial<CreateSavedFilterBody> = {}) => createSavedFilter(contextOf(actor), { ...FAILED, ...part });
const names = async (actor: Actor) => (await readSavedFilters(actor)).data.map(({ name }) => name);
const actions = async (workspaceId: WorkspaceId) =>
  (await prisma().auditEntry.findMany({ where: { workspaceId }, orderBy: { id: "asc" } })).map(({ action }) => action);

test("a private filter is its owner's alone, a shared one everybody's in the workspace", async () => {
  const { workspaceId } = await makeWorkspace();
  const [ada, ben] = [person(workspaceId, "ada", "developer"), person(workspaceId, "ben", "viewer")];
  await save(ada, { name: "Mine" });
  await save(ada, { name: "Ours", shared: true });
  expect(await names(ada)).toEqual(["Mine", "Ours"]);
  expect(await names(ben)).toEqual(["Ours"]);
  expect((await readSavedFilters(ben)).mayShare).toBe(false);
});

test("who may not share saves for themselves, and changes no shared filter", async () => {
  const { workspaceId } = await makeWorkspace();
  const [ada, ben] = [person(workspaceId, "ada", "developer"), person(workspaceId, "ben", "viewer")];
  const shared = await save(ada, { shared: true });
  await expect(save(ben, { shared: true })).rejects.toMatchObject({ code: "forbidden" });
  const own = await save(ben);
  await expect(changeSavedFilter(contextOf(ben), own.id, { shared: true })).rejects.toMatchObject({ code: "forbidden" });
  await expect(changeSavedFilter(contextOf(ben), shared.id, { name: "x" })).rejects.toMatchObject({ code: "forbidden" });
  await expect(deleteSavedFilter(contextOf(ben), shared.id)).rejects.toMatchObject({ code: "forbidden" });
  // Another's private one is not there at all.
  await expect(deleteSavedFilter(contextOf(ada), own.id)).rejects.toMatchObject({ code: "not_found" });
  // Only its owner takes a shared one back.
  const cleo = person(workspaceId, "cleo", "admin");
  await expect(changeSavedFilter(contextOf(cleo), shared.id, { shared: false })).rejects.toMatchObject({ code: "forbidden" });
});

test("each change is recorded with what it was before and after", async () => {
  const { workspaceId } = await makeWorkspace();
  const ada = person(workspaceId, "ada", "admin");
  const { id } = await save(ada);
  await changeSavedFilter(contextOf(ada), id, { name: "Failed today", shared: true });
  await changeSavedFilter(contextOf(ada), id, { name: "Failed today" });
  await deleteSavedFilter(contextOf(ada), id);
  expect(await actions(workspaceId)).toEqual(["saved_filter.created", "saved_filter.changed", "saved_filter.deleted"]);
  const changed = await prisma().auditEntry.findFirst({ where: { workspaceId, action: "saved_filter.changed" } });
  expect(changed).toMatchObject({ before: { name: "Failed", shared: false }, after: { name: "Failed today", shared: true } });
});

test("a filter that the list does not take is not saved", async () => {
  const { workspaceId } = await makeWorkspace();
  const ada = person(workspaceId, "ada", "admin");
  await expect(save(ada, { filter: { nothing: ["x"] } })).rejects.toMatchObject({ code: "invalid_request" });
  await expect(save(ada, { filter: { state: ["exploded"] } })).rejects.toMatchObject({ code: "invalid_request" });
  await save(ada, { page: "issues", filter: { state: ["all"] } });
});

test("how a person reads times is theirs, and its change is recorded once", async () => {
  const { workspaceId } = await makeWorkspace();
  const ada = person(workspaceId, "ada_times", "viewer");
  await prisma().user.create({ data: { id: "usr_ada_times", email: "ada_times@example.com" } });
  expect(await findPreferences("usr_ada_times")).toEqual({ timeZone: "local" });
  await changePreferences(contextOf(ada), { timeZone: "utc" });
  await changePreferences(contextOf(ada), { timeZone: "utc" });
  expect(await findPreferences("usr_ada_times")).toEqual({ timeZone: "utc" });
  expect(await actions(workspaceId)).toEqual(["account.changed"]);
});
