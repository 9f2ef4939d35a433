import { expect } from "vitest";
import type { Role } from "#lib/contracts/auth/settings";
import { makeAccount, type TestAccount } from "./account.ts";
import { callRoute } from "./routes.ts";

type Credentials = { cookie?: string; authorization?: string };

/** Calls a route under `api/` as a page of ours or a script does. */
export function callApi(
  method: string,
  route: string,
  { cookie, authorization }: Credentials,
  input: Parameters<typeof callRoute>[3] = {},
): Promise<Response> {
  const headers = { origin: "http://localhost:3000", ...(authorization ? { authorization } : { cookie: cookie ?? "" }) };
  return callRoute(method, `api/${route}`, headers, input);
}

/** Invites somebody. @returns the invitation's ID, and the token of its link */
export async function invite(by: Credentials, body: object = { role: "developer" }): Promise<{ id: string; token: string }> {
  const answer = await callApi("POST", "v1/invitations", by, { body });
  expect(answer.status).toBe(201);
  const { url, id } = (await answer.json()) as { url: string; id: string };
  return { id, token: new URL(url).searchParams.get("token") ?? "" };
}

/** An owner, and a colleague with a role in the same workspace. */
export async function ownerAnd(role: Role): Promise<[owner: TestAccount, colleague: TestAccount]> {
  const owner = await makeAccount();
  return [owner, await makeAccount({ role, workspaceId: owner.workspaceId })];
}

let people = 0;
export const newcomer = () => ({ email: `newcomer-${++people}@example.com`, name: "New", password: "tram-violet-7-lake" });

/** Joins: again, as the answer asks, where too many passwords are being hashed. */
export async function join(token: string, account?: object, browser: Credentials = {}): Promise<Response> {
  const answer = await callApi("POST", "join", browser, { body: { token, ...(account && { account }) } });
  return answer.status === 429 ? join(token, account, browser) : answer;
}

export const changeRole = (by: TestAccount, id: string, role: string): Promise<Response> =>
  callApi("PATCH", "v1/members/[id]", by, { params: { id }, body: { role } });
export const remove = (by: TestAccount, id: string, query: Record<string, string> = {}): Promise<Response> =>
  callApi("DELETE", "v1/members/[id]", by, { params: { id }, query });
