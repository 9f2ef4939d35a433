import { afterAll, beforeAll, expect, test } from "vitest";
import { resetEnv } from "#lib/config/env";
import { pool } from "#lib/db/pool";
import { prisma } from "#lib/db/prisma";
import { resetForgottenPassword } from "#lib/flows/members/manage-account";
import { makeAccount, openSession } from "#tests/support/account";
import { type MailServer, startMailServer } from "#tests/support/alerts/mail-server";
import { useDatabase } from "#tests/support/database";
import { callRoute } from "#tests/support/routes";
import {
  browserOf,
  challengeFor,
  codeAt,
  cookieOf,
  enterWithPassword,
  isIn,
  makePerson,
  makeProtected,
  PASSWORD,
  setUpPasskey,
  setUpTotp,
  stepJson,
  takeStep,
} from "#tests/support/second-factors";
import { pauseBefore, useStatements } from "#tests/support/statements";

useDatabase();
useStatements();

let mail: MailServer;
beforeAll(async () => {
  mail = await startMailServer();
});
afterAll(() => mail.close());

/** Calls a route of the API with a browser's cookies. */
function call(method: string, route: string, cookie: string, input: Parameters<typeof callRoute>[3] = {}): Promise<Response> {
  return callRoute(method, `api/v1/${route}`, { origin: "http://localhost:3000", cookie }, input);
}

const actionsOf = async (userId: string) =>
  (await prisma().auditEntry.findMany({ where: { OR: [{ actorId: userId }, { targetId: userId }] }, orderBy: { id: "asc" } })).map(
    ({ action }) => action,
  );

/** Sends the session back past the 15 minutes in which a sign-in counts as a confirmation. */
const sessionGrowsOld = (userId: string) =>
  pool().query("UPDATE sessions SET confirmed_at = now() - interval '16 minutes' WHERE user_id = $1", [userId]);

test("an authenticator app is asked for at the next sign-in, and its code completes it under another session id", async () => {
  const { person, secret, recoveryCodes } = await makeProtected();
  expect(new Set(recoveryCodes).size).toBe(10);
  const browser = await enterWithPassword(person);
  expect(await isIn(browser)).toBe(false);
  const waiting = { ...browser };
  expect((await takeStep(browser, "proof", { proof: { kind: "totp", code: codeAt(secret) } })).status).toBe(204);
  expect(await isIn(browser)).toBe(true);
  expect(browser["signalbox.session"]).not.toBe(waiting["signalbox.session"]);
  expect(await isIn(waiting)).toBe(false);
  expect(await actionsOf(person.userId)).toEqual(["factor.added", "sign_in.factor_asked", "sign_in.succeeded"]);
  const { rows } = await pool().query("SELECT sealed FROM totp_factors WHERE user_id = $1", [person.userId]);
  expect(rows[0].sealed).not.toContain(secret);
});

test("a code of a set-up that another tab begins again while it is checked confirms nothing: nobody is locked out", async () => {
  const { browser, userId } = await makePerson();
  const first = await stepJson<{ secret: string }>(browser, "new-totp");
  const confirming = pauseBefore(/^UPDATE .*totp_factors/);
  const confirmed = takeStep({ ...browser }, "totp", { code: codeAt(first.secret, 0) });
  await confirming.reached;
  const second = await stepJson<{ secret: string }>(browser, "new-totp");
  confirming.release();
  expect((await confirmed).status).toBe(409);
  expect((await pool().query("SELECT confirmed_at FROM totp_factors WHERE user_id = $1", [userId])).rows).toEqual([{ confirmed_at: null }]);
  expect((await takeStep(browser, "totp", { code: codeAt(second.secret, 0) })).status).toBe(200);
});

test("the browser that sets the first factor up goes on, and every other session of the person is asked for it", async () => {
  const person = await makePerson();
  const other = browserOf((await openSession(person.workspaceId, person.userId)).cookie);
  const before = { ...person.browser };
  const { secret } = await setUpTotp(person.browser);
  expect([await isIn(person.browser), await isIn(before), await isIn(other)]).toEqual([true, false, false]);
  expect((await takeStep(other, "proof", { proof: { kind: "totp", code: codeAt(secret) } })).status).toBe(204);
  expect(await isIn(other)).toBe(true);
});

test("a recovery code stands in once, however it is spaced, and the audit log says how many are left", async () => {
  const { person, recoveryCodes } = await makeProtected();
  const [code = ""] = recoveryCodes;
  const browser = await enterWithPassword(person);
  const proof = { kind: "recovery_code", code: code.toUpperCase().replaceAll("-", " ") };
  expect((await takeStep(browser, "proof", { proof })).status).toBe(204);
  const again = await enterWithPassword(person);
  expect((await takeStep(again, "proof", { proof })).status).toBe(400);
  const entry = await prisma().auditEntry.findFirstOrThrow({ where: { actorId: person.userId, action: "sign_in.succeeded" } });
  expect(entry.after).toMatchObject({ factor: "recovery_code", recoveryCodesLeft: 9 });
  expect(JSON.stringify(await prisma().recoveryCode.findMany())).not.toContain(code);
});

test("a passkey is a second factor, and with user verification a sign-in by itself", async () => {
  const person = await makePerson();
  const { authenticator } = await setUpPasskey(person.browser, "Laptop");
  const browser = await enterWithPassword(person);
  const response = authenticator.sign(await challengeFor(browser, "proof-challenge"), { userVerified: false });
  expect((await takeStep(browser, "proof", { proof: { kind: "passkey", response } })).status).toBe(204);
  expect(await isIn(browser)).toBe(true);
  const fresh = {};
  const alone = authenticator.sign(await challengeFor(fresh, "passkey-challenge"), { userHandle: person.userId });
  expect((await takeStep(fresh, "passkey", { response: alone })).status).toBe(204);
  expect(await isIn(fresh)).toBe(true);
  const { passkeys } = await (await call("GET", "account/factors", cookieOf(fresh))).json();
  expect(passkeys).toMatchObject([{ name: "Laptop", lastUsedAt: expect.any(String) }]);
  const { data } = await (await call("GET", "account/sessions", cookieOf(fresh))).json();
  expect(data.find(({ current }: { current: boolean }) => current)).toMatchObject({ method: "passkey", factor: "passkey" });
});

test("a remembered browser is not asked for 30 days, until it is ended, or the password changes", async () => {
  const { person, secret, recoveryCodes } = await makeProtected();
  const browser = await enterWithPassword(person);
  await takeStep(browser, "proof", { proof: { kind: "totp", code: codeAt(secret) }, remember: true });
  expect(await isIn(await enterWithPassword(person, browser))).toBe(true);
  const listed = await (await call("GET", "account/factors", cookieOf(person.browser))).json();
  expect(listed.rememberedDevices).toMatchObject([{ userAgent: "a test" }]);
  const [{ id }] = listed.rememberedDevices;
  expect((await call("DELETE", "account/remembered-devices/[id]", cookieOf(person.browser), { params: { id } })).status).toBe(204);
  expect(await isIn(await enterWithPassword(person, browser))).toBe(false);

  const second = await enterWithPassword(person);
  await takeStep(second, "proof", { proof: { kind: "recovery_code", code: recoveryCodes[0] }, remember: true });
  const changed = await call("PUT", "account/password", cookieOf(second), { body: { current: PASSWORD, next: "another-violet-tram" } });
  expect(changed.status).toBe(204);
  expect(await isIn(await enterWithPassword(person, second))).toBe(false);

  const third = await enterWithPassword(person);
  await takeStep(third, "proof", { proof: { kind: "recovery_code", code: recoveryCodes[1] }, remember: true });
  await pool().query("UPDATE known_devices SET remembered_until = remembered_until - interval '30 days'");
  expect(await isIn(await enterWithPassword(person, third))).toBe(false);
});

test("a workspace that requires a factor leads members to set one up, and asks nothing of single sign-on", async () => {
  const owner = await makePerson();
  const member = await makePerson({ workspaceId: owner.workspaceId, role: "developer" });
  const sso = await openSession(owner.workspaceId, member.userId);
  await prisma().session.update({ where: { idHash: sso.sessionHash }, data: { method: "sso" } });
  const body = { requiresSecondFactor: true };
  expect((await call("PUT", "workspace/sign-in-policy", cookieOf(owner.browser), { body })).status).toBe(409);
  await setUpTotp(owner.browser);
  expect((await call("PUT", "workspace/sign-in-policy", cookieOf(member.browser), { body })).status).toBe(403);
  expect((await call("PUT", "workspace/sign-in-policy", cookieOf(owner.browser), { body })).status).toBe(200);
  expect([await isIn(member.browser), await isIn(browserOf(sso.cookie))]).toEqual([false, true]);
  await setUpPasskey(member.browser);
  expect(await isIn(member.browser)).toBe(true);
  const { passkeys } = await (await call("GET", "account/factors", cookieOf(member.browser))).json();
  const removal = await call("DELETE", "account/factors/passkeys/[id]", cookieOf(member.browser), { params: { id: passkeys[0].id } });
  expect([removal.status, (await removal.json()).detail]).toEqual([409, expect.stringContaining("Add another first")]);
});

test("factors change only within 15 minutes of a proof, or after the password is entered", async () => {
  const { person } = await makeProtected();
  await sessionGrowsOld(person.userId);
  for (const step of ["new-totp", "new-passkey"]) {
    const answer = await takeStep(person.browser, step);
    expect([answer.status, (await answer.json()).code], step).toEqual([403, "confirmation_required"]);
  }
  for (const [method, route] of [
    ["DELETE", "account/factors/totp"],
    ["POST", "account/recovery-codes"],
  ] as const)
    expect((await (await call(method, route, cookieOf(person.browser))).json()).code, route).toBe("confirmation_required");
  expect((await takeStep(person.browser, "confirmation", { password: "wrong-wrong-wrong" })).status).toBe(400);
  expect((await takeStep(person.browser, "confirmation", { password: PASSWORD })).status).toBe(204);
  const renewed = await call("POST", "account/recovery-codes", cookieOf(person.browser));
  expect((await renewed.json()).recoveryCodes).toHaveLength(10);
  expect((await call("DELETE", "account/factors/totp", cookieOf(person.browser))).status).toBe(204);
  expect(await prisma().recoveryCode.count({ where: { userId: person.userId } })).toBe(0);
  expect(await isIn(await enterWithPassword(person))).toBe(true);
});

test("a removed factor ends every other session and remembered browser", async () => {
  const { person, secret } = await makeProtected();
  await setUpPasskey(person.browser);
  const other = await enterWithPassword(person);
  await takeStep(other, "proof", { proof: { kind: "totp", code: codeAt(secret) }, remember: true });
  expect((await call("DELETE", "account/factors/totp", cookieOf(person.browser))).status).toBe(204);
  expect(await isIn(other)).toBe(false);
  expect(await isIn(await enterWithPassword(person, other))).toBe(false);
});

test("an owner removes a colleague's lost factors: sessions end, it is audited, and an email tells the colleague", async () => {
  resetEnv({ SMTP_URL: mail.url, MAIL_FROM: "signalbox@example.com" });
  const owner = await makePerson();
  const { person: colleague } = await makeProtected({ workspaceId: owner.workspaceId, role: "admin" });
  const params = { id: colleague.userId };
  expect((await call("DELETE", "members/[id]/factors", cookieOf(colleague.browser), { params })).status).toBe(403);
  const removed = await call("DELETE", "members/[id]/factors", cookieOf(owner.browser), { params });
  expect(await removed.json()).toEqual({ removed: 1, emailed: true });
  expect(mail.mails).toMatchObject([{ to: [colleague.email], subject: "Your second factors were removed" }]);
  expect(await isIn(colleague.browser)).toBe(false);
  expect(await isIn(await enterWithPassword(colleague))).toBe(true);
  expect(await actionsOf(colleague.userId)).toContain("factor.all_removed");
});

test("an owner can't remove factors of somebody who is also in a workspace that the owner does not own, nor their own", async () => {
  const owner = await makePerson();
  const { person: colleague } = await makeProtected({ workspaceId: owner.workspaceId, role: "admin" });
  await makeAccount({ userId: colleague.userId, role: "viewer" });
  const foreign = await call("DELETE", "members/[id]/factors", cookieOf(owner.browser), { params: { id: colleague.userId } });
  expect(foreign.status).toBe(409);
  expect((await call("DELETE", "members/[id]/factors", cookieOf(owner.browser), { params: { id: owner.userId } })).status).toBe(409);
});

test("a reset password leaves the factors in place, unless the command says to remove them", async () => {
  const { person, recoveryCodes } = await makeProtected();
  const first = await enterWithPassword(person);
  await takeStep(first, "proof", { proof: { kind: "recovery_code", code: recoveryCodes[0] }, remember: true });
  await resetForgottenPassword(person.email);
  expect([await isIn(first), await isIn(await enterWithPassword(person, first))]).toEqual([false, false]);
  expect(await resetForgottenPassword(person.email, true)).toMatchObject({ factorsRemoved: 1 });
  expect(await isIn(await enterWithPassword(person))).toBe(true);
});
