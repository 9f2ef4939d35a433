import { randomUUID } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import { decodeSession, encodeSession } from "#lib/auth/opaque-session";
import { finishAuthRequest, newAuthRequest } from "#lib/auth/sign-in/auth-request";
import { bindSubject } from "#lib/auth/sign-in/sso-store";
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
  makeProtected,
  PASSWORD,
  type Person,
  setUpPasskey,
  statusesOf,
  stepJson,
  takeStep,
} from "#tests/support/second-factors";

// Every way around the second factor that we could think of, beside the routes (api/route-inventory) and pages (authorization/page-access).
// Each is tried by somebody who has the password.

useDatabase({ SANDBOX: "on" });

let person: Person;
let secret = "";
let usedCode = "";
let recoveryCodes: string[] = [];
let authenticator: Authenticator;
/** Knows the password. */
let thief: Browser;

beforeEach(async () => {
  await pool().query("TRUNCATE sign_in_failures");
  ({ person, secret, code: usedCode, recoveryCodes } = await makeProtected());
  ({ authenticator } = await setUpPasskey(person.browser));
  thief = await enterWithPassword(person);
});

test("a code is right once: not again, not in two browsers at once, and none of before it", async () => {
  const other = await enterWithPassword(person);
  const proof = { kind: "totp", code: codeAt(secret) };
  const statuses = await statusesOf([takeStep(thief, "proof", { proof }), takeStep(other, "proof", { proof })]);
  expect(statuses).toEqual([204, 400]);
  await expectRejected(await enterWithPassword(person), proof);
  await expectRejected(await enterWithPassword(person), { kind: "totp", code: codeAt(secret, 0) });
});

test("codes of other times, of another account, of the set-up, and what is no code are rejected", async () => {
  const { person: other, ...theirs } = await makeProtected();
  const codes = [codeAt(secret, 4), codeAt(secret, -3), usedCode, codeAt(theirs.secret)];
  for (const code of [...codes, "", "000", "abcdef", "１２３４５６", `${codeAt(secret)}0`])
    await expectRejected(thief, { kind: "totp", code });
});

test("fifty codes at once are ten tries, and then the right one has to wait too, of another kind and in another session", async () => {
  const tries = Array.from({ length: 50 }, (_, index) =>
    takeStep({ ...thief }, "proof", { proof: { kind: "totp", code: `guess ${index}` } }),
  );
  const statuses = await statusesOf(tries);
  expect(statuses.filter((status) => status === 400)).toHaveLength(10);
  expect(statuses.filter((status) => status === 429)).toHaveLength(40);
  await expectRejected(thief, { kind: "recovery_code", code: recoveryCodes[0] }, 429);
  await expectRejected(await enterWithPassword(person), { kind: "totp", code: codeAt(secret) }, 429);
});

test("who has the password alone makes no browser a known one, and is nobody to next-auth", async () => {
  const turn = Object.assign(newAuthRequest(new Headers(), new Date()), { userId: person.userId });
  const sessionId = await encodeSession({ sub: person.userId }, turn);
  expect((await finishAuthRequest(turn, new Response(null))).headers.getSetCookie()).toEqual([]);
  expect(await prisma().knownDevice.count({ where: { userId: person.userId } })).toBe(0);
  expect(await decodeSession(sessionId, new Date())).toBeNull();
});

test("one recovery code used twice at once opens one session", async () => {
  const proof = { kind: "recovery_code", code: recoveryCodes[0] };
  const browsers = await Promise.all(Array.from({ length: 5 }, () => enterWithPassword(person)));
  expect(await statusesOf(browsers.map((browser) => takeStep(browser, "proof", { proof })))).toEqual([204, 400, 400, 400, 400]);
});

test("recovery codes of another account, replaced ones and made-up ones are rejected", async () => {
  const { person: other, ...theirs } = await makeProtected();
  await callRoute("POST", "api/v1/account/recovery-codes", { cookie: cookieOf(person.browser), origin: "http://localhost:3000" });
  for (const code of [theirs.recoveryCodes[0], recoveryCodes[0], "", "aaaaa-aaaaa-aaaaa-aaaaa"])
    await expectRejected(thief, { kind: "recovery_code", code });
});

test("a recovery code is not used up by a session that has ended", async () => {
  await pool().query("DELETE FROM sessions WHERE user_id = $1 AND factor IS NULL", [person.userId]);
  await expectRejected(thief, { kind: "recovery_code", code: recoveryCodes[0] }, 401);
  expect(await prisma().recoveryCode.count({ where: { userId: person.userId, usedAt: null } })).toBe(10);
});

test("a known browser's cookie is no remembered one, and a remembered one is its person's alone", async () => {
  const browser = await enterWithPassword(person);
  await takeStep(browser, "proof", { proof: { kind: "totp", code: codeAt(secret) } });
  expect(browser["signalbox.device"]).toBeDefined();
  expect(await isIn(await enterWithPassword(person, browser))).toBe(false);

  const { person: other, ...theirs } = await makeProtected();
  const remembered = await enterWithPassword(other);
  await takeStep(remembered, "proof", { proof: { kind: "totp", code: codeAt(theirs.secret) }, remember: true });
  expect(await isIn(await enterWithPassword(other, remembered))).toBe(true);
  expect(await isIn(await enterWithPassword(person, remembered))).toBe(false);
});

test("a browser id that somebody planted before is not the one that is remembered", async () => {
  const planted = "A".repeat(43);
  const browser = await enterWithPassword(person, { "signalbox.device": planted });
  await takeStep(browser, "proof", { proof: { kind: "totp", code: codeAt(secret) }, remember: true });
  expect(browser["signalbox.device"]).not.toBe(planted);
  expect(await isIn(await enterWithPassword(person, { "signalbox.device": planted }))).toBe(false);
});

test("the first single sign-on ends factors with the password: whoever opened the account keeps no passkey to it", async () => {
  const browser = {};
  const response = authenticator.sign(await challengeFor(browser, "passkey-challenge"));
  await bindSubject("https://id.example", "ada", { id: person.userId, email: person.email }, new Date());
  expect((await takeStep(browser, "passkey", { response })).status).toBe(400);
  await expectRejected(thief, { kind: "totp", code: codeAt(secret) }, 401);
});

test("another site, an API key and unknown fields take no step", async () => {
  const proof = { kind: "totp", code: codeAt(secret) };
  expect((await takeStep(thief, "proof", { proof }, { origin: "https://evil.example" })).status).toBe(403);
  expect((await takeStep(thief, "proof", { proof }, { authorization: `Bearer sbx_${"k".repeat(40)}` })).status).toBe(401);
  expect((await takeStep(thief, "proof", { proof, factor: "remembered" })).status).toBe(400);
  expect((await takeStep(thief, "__proto__", {})).status).toBe(404);
  expect(await isIn(thief)).toBe(false);
});

test("a session that is completed can't be completed again, nor one that waits for nothing", async () => {
  const browser = await enterWithPassword(person);
  const waiting = { ...browser };
  await takeStep(browser, "proof", { proof: { kind: "totp", code: codeAt(secret) } });
  expect((await takeStep(waiting, "proof", { proof: { kind: "recovery_code", code: recoveryCodes[0] } })).status).toBe(401);
  expect((await takeStep(browser, "proof", { proof: { kind: "recovery_code", code: recoveryCodes[0] } })).status).toBe(409);
});

test("what fails is in the audit log, under the account's name and without the code", async () => {
  await expectRejected(thief, { kind: "totp", code: "123456" });
  const entry = await prisma().auditEntry.findFirstOrThrow({ where: { action: "sign_in.factor_rejected", targetId: person.userId } });
  expect([entry.actorKind, entry.after]).toEqual(["anonymous", { factor: "totp" }]);
});

const prove = (response: unknown) => ({ kind: "passkey", response });

test("a passkey of somebody else proves nothing, with its own challenge or with the thief's", async () => {
  const other = await makePerson();
  const { authenticator: theirs } = await setUpPasskey(other.browser);
  await expectRejected(thief, prove(theirs.sign(await challengeFor(thief, "proof-challenge"))));
  const theirBrowser = await enterWithPassword(other);
  await expectRejected(thief, prove(theirs.sign(await challengeFor(theirBrowser, "proof-challenge"))));
});

test("a challenge is for one session, one purpose, once, and five minutes", async () => {
  const other = await enterWithPassword(person);
  await expectRejected(thief, prove(authenticator.sign(await challengeFor(other, "proof-challenge"))));
  await expectRejected(thief, prove(authenticator.sign(await challengeFor({}, "passkey-challenge"))));
  await expectRejected(thief, prove(authenticator.sign({ challenge: "bWFkZS11cA" })));
  const { options } = await stepJson<{ options: { challenge: string } }>(person.browser, "new-passkey");
  await expectRejected(thief, prove(authenticator.sign(options)));
  const replaced = await challengeFor(thief, "proof-challenge");
  const used = await challengeFor(thief, "proof-challenge");
  await expectRejected(thief, prove(authenticator.sign(replaced)));
  await expectRejected(thief, prove(authenticator.sign(used, { origin: "https://evil.example" })));
  await expectRejected(thief, prove(authenticator.sign(used)));
  const late = await challengeFor(thief, "proof-challenge");
  await pool().query("UPDATE passkey_challenges SET expires_at = now() - interval '1 second'");
  await expectRejected(thief, prove(authenticator.sign(late)));
});

test("a signature for another site, another type, without presence, with another key, or changed is rejected", async () => {
  const lies = [
    { origin: "http://localhost:3001" },
    { host: "evil.example" },
    { type: "webauthn.create" },
    { userPresent: false },
    { userHandle: "usr_other" },
  ];
  for (const lie of lies) await expectRejected(thief, prove(authenticator.sign(await challengeFor(thief, "proof-challenge"), lie)));
  const imposter = Object.assign(new Authenticator(), { id: authenticator.id });
  await expectRejected(thief, prove(imposter.sign(await challengeFor(thief, "proof-challenge"))));
  const changed = authenticator.sign(await challengeFor(thief, "proof-challenge"));
  changed.response.authenticatorData = authenticator.sign({ challenge: "x" }, { counter: 99 }).response.authenticatorData;
  await expectRejected(thief, prove(changed));
});

test("a counter that stands still or goes back is a copied passkey", async () => {
  authenticator.counter = 20;
  const browser = await enterWithPassword(person);
  expect(
    (await takeStep(browser, "proof", { proof: prove(authenticator.sign(await challengeFor(browser, "proof-challenge"))) })).status,
  ).toBe(204);
  for (const counter of [21, 5, 0])
    await expectRejected(thief, prove(authenticator.sign(await challengeFor(thief, "proof-challenge"), { counter })));
});

test("two signatures of one counter at once open one session", async () => {
  const browsers = await Promise.all([enterWithPassword(person), enterWithPassword(person)]);
  const proofs = await Promise.all(
    browsers.map(async (browser) => prove(authenticator.sign(await challengeFor(browser, "proof-challenge"), { counter: 7 }))),
  );
  expect(await statusesOf(browsers.map((browser, index) => takeStep(browser, "proof", { proof: proofs[index] })))).toEqual([204, 400]);
});

test("a passkey alone signs in only with user verification, in the browser that asked, once, and with its owner's handle", async () => {
  const tries: [Browser, (challenge: { challenge: string }) => unknown][] = [
    [{}, (challenge) => authenticator.sign(challenge, { userVerified: false })],
    [{}, (challenge) => authenticator.sign(challenge, { userHandle: "usr_other" })],
    [{}, (challenge) => new Authenticator().sign(challenge)],
  ];
  for (const [browser, sign] of tries) {
    const response = sign(await challengeFor(browser, "passkey-challenge"));
    expect((await takeStep(browser, "passkey", { response })).status).toBe(400);
  }
  const asking = {};
  const response = authenticator.sign(await challengeFor(asking, "passkey-challenge"));
  expect((await takeStep({}, "passkey", { response })).status).toBe(400);
  expect((await takeStep({ ...thief }, "passkey", { response })).status).toBe(400);
  const copy = { ...asking };
  expect((await takeStep(asking, "passkey", { response })).status).toBe(204);
  expect((await takeStep(copy, "passkey", { response })).status).toBe(400);
});

test("a challenge to prove a factor signs nobody in, and a removed passkey neither", async () => {
  const browser: Browser = {};
  await challengeFor(browser, "passkey-challenge");
  const response = authenticator.sign(await challengeFor(thief, "proof-challenge"));
  expect((await takeStep({ ...browser, ...thief }, "passkey", { response })).status).toBe(400);
  const asked = await challengeFor(browser, "passkey-challenge");
  await pool().query("DELETE FROM passkeys WHERE user_id = $1", [person.userId]);
  expect((await takeStep(browser, "passkey", { response: authenticator.sign(asked) })).status).toBe(400);
});

test("somebody who left every workspace is not let in by a passkey", async () => {
  const browser = {};
  const response = authenticator.sign(await challengeFor(browser, "passkey-challenge"));
  await pool().query("DELETE FROM memberships WHERE user_id = $1", [person.userId]);
  expect((await takeStep(browser, "passkey", { response })).status).toBe(400);
});

test("a challenge for a sign-in by passkey costs the network a try: a flood of them is held up", async () => {
  const statuses = await statusesOf(Array.from({ length: 105 }, () => takeStep({}, "passkey-challenge")));
  expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(5);
});

test("a credential that somebody has can't be registered again, and a registration of another session or site counts for nothing", async () => {
  const other = await makePerson();
  const register = async (lies = {}, maker = new Authenticator(), browser = other.browser) => {
    const { options } = await stepJson<{ options: { challenge: string } }>(browser, "new-passkey");
    return (await takeStep(other.browser, "passkey-registration", { name: "x", response: maker.register(options, lies) })).status;
  };
  expect(await register({}, authenticator)).toBe(409);
  expect(await register({ origin: "https://evil.example" })).toBe(400);
  expect(await register({ host: "evil.example" })).toBe(400);
  expect(await register({ type: "webauthn.get" })).toBe(400);
  expect(await register({}, new Authenticator(), person.browser)).toBe(400);
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

test("a half-signed-in session can't set up a factor of its own, remove the present ones, or confirm itself by the password", async () => {
  for (const step of ["new-totp", "totp", "new-passkey", "passkey-registration", "confirmation"])
    expect((await takeStep(thief, step, { password: PASSWORD })).status, step).toBe(401);
});

test("a half-signed-in session ends after ten minutes, and proving late opens nothing", async () => {
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
