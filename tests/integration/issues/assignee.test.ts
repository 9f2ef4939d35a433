import { describe, expect, it, test } from "vitest";
import type { AuditEntry } from "#lib/contracts/auth/audit";
import type { Issue, IssuesChanged } from "#lib/contracts/issues";
import { pool } from "#lib/db/pool";
import { makeAccount, type TestAccount } from "#tests/support/account";
import { useDatabase } from "#tests/support/database";
import { append, drainInbox } from "#tests/support/log-writer";
import { callApi } from "#tests/support/members";
import { beginWith, untilBlocked } from "#tests/support/other-session";
import { makeWorkspace } from "#tests/support/webhooks";

useDatabase();

type Credentials = { cookie: string } | { authorization: string };

const call = (method: string, route: string, by: Credentials, input: Parameters<typeof callApi>[3] = {}) =>
  callApi(method, `v1/${route}`, by, input);

const assign = (by: Credentials, ids: string[], assignee: string | null) =>
  call("POST", "issues/assignee", by, { body: { ids, assignee } });

/** Assigns, and returns which issues that changed. */
const assigned = async (by: Credentials, ids: string[], assignee: string | null) =>
  (await (await assign(by, ids, assignee)).json()) as IssuesChanged;

async function list(by: Credentials, query: Record<string, string> = {}): Promise<Issue[]> {
  const answer = await call("GET", "issues", by, { query });
  expect(answer.status).toBe(200);
  return ((await answer.json()) as { data: Issue[] }).data;
}

const idsOf = async (by: Credentials, assignee: string) => (await list(by, { assignee })).map(({ id }) => id).sort();

async function failAgain({ workspaceId, sourceId }: Awaited<ReturnType<typeof makeWorkspace>>, type: string, eventId: string) {
  await append(workspaceId, sourceId, [{ eventId, type, created: 1, data: {} }]);
  await drainInbox();
}

/** A workspace with an owner, a colleague and three issues, in the order of their ids. */
async function makeTeam() {
  const world = await makeWorkspace();
  const owner = await makeAccount({ workspaceId: world.workspaceId });
  const colleague = await makeAccount({ workspaceId: world.workspaceId, role: "developer" });
  for (const type of ["task.created", "document.uploaded", "automation.error"]) await failAgain(world, type, `${type}_1`);
  const [a, b, c] = (await list(owner)).map(({ id }) => id).sort() as [string, string, string];
  return { world, owner, colleague, a, b, c };
}

const memberOf = ({ userId, email }: TestAccount) => ({ id: userId, email, name: null });

describe("an issue", () => {
  it("is assigned with others to a member, given to another and taken away, and its state stays", async () => {
    const { owner, colleague, a, b, c } = await makeTeam();
    expect(await assigned(owner, [a, b, b], colleague.userId)).toEqual({ changed: [a, b], unchanged: [] });
    expect(await assigned(colleague, [b, c], colleague.userId)).toEqual({ changed: [c], unchanged: [b] });
    expect(await assigned(owner, [b], owner.userId)).toEqual({ changed: [b], unchanged: [] });
    expect(await assigned(owner, [c, "iss_none"], null)).toEqual({ changed: [c], unchanged: ["iss_none"] });
    const found = Object.fromEntries((await list(owner)).map(({ id, state, assignee }) => [id, { state, assignee }]));
    expect(found).toEqual({
      [a]: { state: "open", assignee: memberOf(colleague) },
      [b]: { state: "open", assignee: memberOf(owner) },
      [c]: { state: "open", assignee: null },
    });
    const one = (await (await call("GET", "issues/[id]", owner, { params: { id: a } })).json()) as Issue;
    expect(one.assignee).toEqual(memberOf(colleague));
    const audit = ((await (await call("GET", "audit", owner, { query: { action: "issue.assigned" } })).json()) as { data: AuditEntry[] })
      .data;
    expect(audit.map(({ actor, target, before, after }) => [actor.name, target?.id, before, after])).toEqual([
      [owner.email, c, { assignee: colleague.email }, { assignee: null }],
      [owner.email, b, { assignee: colleague.email }, { assignee: owner.email }],
      [colleague.email, c, { assignee: null }, { assignee: colleague.email }],
      [owner.email, b, { assignee: null }, { assignee: colleague.email }],
      [owner.email, a, { assignee: null }, { assignee: colleague.email }],
    ]);
  });

  it("keeps its assignee when it is resolved and when it recurs", async () => {
    const { world, owner, colleague, a } = await makeTeam();
    await assigned(owner, [a], colleague.userId);
    await call("POST", "issues/[id]/state", owner, { params: { id: a }, body: { action: "resolve" } });
    const resolved = (await list(owner)).find(({ id }) => id === a);
    expect(resolved).toMatchObject({ state: "resolved", assignee: memberOf(colleague) });
    await failAgain(world, resolved?.type ?? "", "evt_again");
    expect((await list(owner)).find(({ id }) => id === a)).toMatchObject({
      ...{ state: "open", stateCause: "recurred", count: 2 },
      assignee: memberOf(colleague),
    });
  });

  it("is assigned to nobody from another workspace, and by nobody from there", async () => {
    const { owner, a } = await makeTeam();
    const stranger = await makeAccount();
    for (const id of [stranger.userId, "usr_none"]) {
      const answer = await assign(owner, [a], id);
      const problem = (await answer.json()) as { detail: string; errors: { path: string }[] };
      expect([answer.status, problem.errors[0]?.path]).toEqual([400, "assignee"]);
      expect(problem.detail).toContain("No member of this workspace has that ID.");
    }
    expect(await assigned(stranger, [a], stranger.userId)).toEqual({ changed: [], unchanged: [a] });
    expect(await idsOf(owner, "none")).toContain(a);
    expect((await assign(owner, Array<string>(101).fill(a), null)).status).toBe(400);
  });
});

test("issues are listed by their assignee: a member, nobody, who asks, and who made the API key that asks", async () => {
  const { owner, colleague, a, b, c } = await makeTeam();
  await assigned(owner, [a], owner.userId);
  await assigned(owner, [b], colleague.userId);
  expect(await idsOf(owner, "me")).toEqual([a]);
  expect(await idsOf(colleague, "me")).toEqual([b]);
  expect(await idsOf(owner, colleague.userId)).toEqual([b]);
  expect(await idsOf(owner, "none")).toEqual([c]);
  expect(await idsOf(owner, "usr_none")).toEqual([]);
  expect((await list(owner)).length).toBe(3);
  const made = await call("POST", "api-keys", owner, { body: { name: "deploy", role: "developer" } });
  const key = { authorization: `Bearer ${((await made.json()) as { key: string }).key}` };
  expect(await idsOf(key, "me")).toEqual([a]);
  await pool().query("UPDATE api_keys SET created_by_id = NULL, created_by = NULL WHERE workspace_id = $1", [owner.workspaceId]);
  const refused = await call("GET", "issues", key, { query: { assignee: "me" } });
  expect(refused.status).toBe(400);
});

describe("whoever is no longer a member", () => {
  it.each([
    ["is removed", (owner: TestAccount, { userId }: TestAccount) => call("DELETE", "members/[id]", owner, { params: { id: userId } })],
    ["leaves", (_: TestAccount, colleague: TestAccount) => call("DELETE", "members/me", colleague)],
  ])("%s: their issues of this workspace are unassigned, and nothing else of them changes", async (_, end) => {
    const { owner, colleague, a, b } = await makeTeam();
    const other = await makeTeam();
    await makeAccount({ workspaceId: other.owner.workspaceId, userId: colleague.userId });
    await assigned(owner, [a], colleague.userId);
    await assigned(owner, [b], owner.userId);
    await assigned(other.owner, [other.a], colleague.userId);
    const before = await list(owner);
    expect((await end(owner, colleague)).status).toBe(204);
    expect(await list(owner)).toEqual(before.map((issue) => (issue.id === a ? { ...issue, assignee: null } : issue)));
    expect(await idsOf(other.owner, colleague.userId)).toEqual([other.a]);
  });

  it("gets no issue at the moment of the removal", async () => {
    const { owner, colleague, a } = await makeTeam();
    const removal = await beginWith("DELETE FROM memberships WHERE user_id = $1", [colleague.userId]);
    const answer = assign(owner, [a], colleague.userId);
    await untilBlocked("%assignee_id%");
    await removal.end();
    expect((await answer).status).toBe(200);
    expect(await idsOf(owner, "none")).toContain(a);
  });
});
