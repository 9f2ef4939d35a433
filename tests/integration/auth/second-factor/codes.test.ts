import { beforeEach, expect, test } from "vitest";
import { decodeSession, encodeSession } from "#lib/auth/opaque-session";
import { finishAuthRequest, newAuthRequest } from "#lib/auth/sign-in/auth-request";
import { bindSubject } from "#lib/auth/sign-in/sso-store";
import { pool } from "#lib/db/pool";
import { prisma } from "#lib/db/prisma";
import type { Authenticator } from "#tests/support/authenticator";
import { useDatabase } from "#tests/support/database";
import { callRoute } from "#tests/support/routes";
import {
  type Browser,
  challengeFor,
  codeAt,
  cookieOf,
  enterWithPassword,
  expectRejected,
  isIn,
  makePerson,
  type Person,
  setUpPasskey,
  setUpTotp,
  statusesOf,
  takeStep,
} from "#tests/support/second-factors";

// Every way around the second factor that we could think of. Each is tried by somebody who has the password.

useDatabase();

let person: Person;
let secret = "";
let usedCode = "";
let recoveryCodes: string[] = [];
let authenticator: Authenticator;
/** Knows the password. */
let thief: Browser;

beforeEach(async () => {
  await pool().query("TRUNCATE sign_in_failures");
  person = await makePerson();
  ({ secret, code: usedCode, recoveryCodes } = await setUpTotp(person.browser));
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
  const other = await makePerson();
  const theirs = await setUpTotp(other.browser);
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
  const other = await makePerson();
  const theirs = await setUpTotp(other.browser);
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

  const other = await makePerson();
  const theirs = await setUpTotp(other.browser);
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
