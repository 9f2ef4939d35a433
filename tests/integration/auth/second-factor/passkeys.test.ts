import { beforeEach, expect, test } from "vitest";
import { pool } from "#lib/db/pool";
import { Authenticator } from "#tests/support/authenticator";
import { useDatabase } from "#tests/support/database";
import {
  type Browser,
  challengeFor,
  enterWithPassword,
  expectRejected,
  makePerson,
  type Person,
  setUpPasskey,
  statusesOf,
  stepJson,
  takeStep,
} from "#tests/support/second-factors";

// Every way around the second factor that we could think of. Each is tried by somebody who has the password.

useDatabase();

let person: Person;
let authenticator: Authenticator;
/** Knows the password. */
let thief: Browser;

beforeEach(async () => {
  await pool().query("TRUNCATE sign_in_failures");
  person = await makePerson();
  ({ authenticator } = await setUpPasskey(person.browser));
  thief = await enterWithPassword(person);
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
