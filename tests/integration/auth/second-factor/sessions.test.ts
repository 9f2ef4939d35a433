import { randomUUID } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import type { Role } from "#lib/contracts/auth/settings";
import { pool } from "#lib/db/pool";
import { prisma } from "#lib/db/prisma";
import { resetForgottenPassword } from "#lib/flows/members/manage-account";
import { acceptInvitation } from "#lib/flows/members/members";
import { hashToken } from "#lib/vault/opaque-token";
import { makeAccount } from "#tests/support/account";
import { Authenticator } from "#tests/support/authenticator";
import { useDatabase } from "#tests/support/database";
import { callRoute } from "#tests/support/routes";
import {
  type Browser,
  browserOf,
  challengeFor,
  codeAt,
  cookieOf,
  enterWithPassword,
  expectRejected,
  isIn,
  makePerson,
  PASSWORD,
  type Person,
  setUpPasskey,
  setUpTotp,
  stepJson,
  takeStep,
} from "#tests/support/second-factors";

// Every way around the second factor that we could think of, beside the routes (api/route-inventory) and pages (authorization/page-access).
// Each is tried by somebody who has the password.

useDatabase({ SANDBOX: "on" });

let person: Person;
let secret = "";
let authenticator: Authenticator;
/** Knows the password. */
let thief: Browser;

beforeEach(async () => {
  await pool().query("TRUNCATE sign_in_failures");
  person = await makePerson();
  ({ secret } = await setUpTotp(person.browser));
  ({ authenticator } = await setUpPasskey(person.browser));
  thief = await enterWithPassword(person);
});

/** An invite to the workspace of a person, and its token. */
async function invite({ workspaceId }: Person, to: { role: Role; email?: string } = { role: "owner" }): Promise<{ token: string }> {
  const token = randomUUID();
  const expiresAt = new Date(Date.now() + 60_000);
  await prisma().invitation.create({ data: { id: token, workspaceId, tokenHash: hashToken(token), createdBy: "x", expiresAt, ...to } });
  return { token };
}

test("a half-signed-in session accepts no invite", async () => {
  const headers = new Headers({ cookie: cookieOf(thief), origin: "http://localhost:3000" });
  await expect(acceptInvitation(headers, await invite(person), new Date())).rejects.toMatchObject({ code: "unauthenticated" });
});

test("it can't set up a factor of its own, remove the present ones, or confirm itself by the password", async () => {
  for (const step of ["new-totp", "totp", "new-passkey", "passkey-registration", "confirmation"])
    expect((await takeStep(thief, step, { password: PASSWORD })).status, step).toBe(401);
});

test("it ends after ten minutes, and proving late opens nothing", async () => {
  await pool().query("UPDATE sessions SET expires_at = now() - interval '1 second' WHERE factor IS NULL");
  await expectRejected(thief, { kind: "totp", code: codeAt(secret) }, 401);
});

test("another workspace, an invite and a reset password lead around nothing", async () => {
  await makeAccount({ userId: person.userId });
  expect(await isIn(thief)).toBe(false);
  const account = { email: person.email, name: "x", password: "quite-another-tram" };
  const { token } = await invite(person);
  await expect(acceptInvitation(new Headers(), { token, account }, new Date())).rejects.toMatchObject({ code: "conflict" });
  await resetForgottenPassword(person.email);
  expect(await isIn(await enterWithPassword(person))).toBe(false);
});

test("an invite that takes an abandoned account over leaves none of its factors", async () => {
  const home = await makePerson();
  await pool().query("DELETE FROM memberships WHERE user_id = $1", [person.userId]);
  const { token } = await invite(home, { role: "viewer", email: person.email });
  const account = { email: person.email, name: "x", password: "quite-another-tram" };
  await acceptInvitation(new Headers(), { token, account }, new Date());
  const browser = {};
  const response = authenticator.sign(await challengeFor(browser, "passkey-challenge"));
  expect((await takeStep(browser, "passkey", { response })).status).toBe(400);
});

test("an account of single sign-on gets no factor that would let it in past its provider", async () => {
  const account = await makeAccount();
  const sso = browserOf(account.cookie);
  await pool().query("UPDATE sessions SET method = 'sso' WHERE user_id = $1", [account.userId]);
  const { options } = await stepJson<{ options: { challenge: string } }>(sso, "new-passkey");
  expect((await takeStep(sso, "passkey-registration", { name: "x", response: new Authenticator().register(options) })).status).toBe(409);
  const { secret: theirs } = await stepJson<{ secret: string }>(sso, "new-totp");
  expect((await takeStep(sso, "totp", { code: codeAt(theirs) })).status).toBe(409);
});

test("where a factor is required, the session that has to set one up opens nothing else, and an old one asks for the password first", async () => {
  const member = await makePerson({ workspaceId: person.workspaceId, role: "viewer" });
  await pool().query("UPDATE workspaces SET requires_second_factor = true WHERE id = $1", [person.workspaceId]);
  expect((await callRoute("GET", "api/v1/overview", { cookie: cookieOf(member.browser) })).status).toBe(401);
  expect((await takeStep(member.browser, "proof", { proof: { kind: "totp", code: "000000" } })).status).toBe(401);
  await pool().query("UPDATE sessions SET confirmed_at = now() - interval '16 minutes' WHERE user_id = $1", [member.userId]);
  expect((await takeStep(member.browser, "new-totp")).status).toBe(403);
  expect((await takeStep(member.browser, "confirmation", { password: PASSWORD })).status).toBe(204);
  expect((await takeStep(member.browser, "new-totp")).status).toBe(200);
});
