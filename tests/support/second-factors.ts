import { Secret, TOTP } from "otpauth";
import { expect } from "vitest";
import { findActor } from "#lib/auth/find-actor";
import { beginSession } from "#lib/auth/opaque-session";
import { hashPassword } from "#lib/auth/sign-in/password";
import { prisma } from "#lib/db/prisma";
import { hashToken } from "#lib/vault/opaque-token";
import { POST } from "../../app/api/sign-in/[step]/route.ts";
import { makeAccount, type TestAccount } from "./account.ts";
import { Authenticator } from "./authenticator.ts";

export const PASSWORD = "tram-violet-7-lake";
const HASH = hashPassword(PASSWORD);

/** A browser: what it has for cookies. */
export type Browser = Record<string, string>;

export const cookieOf = (browser: Browser): string =>
  Object.entries(browser)
    .map(([name, value]) => `${name}=${value}`)
    .join("; ");

/** Takes a step of sign-in, as a page of ours would; the browser keeps the cookies. */
export async function takeStep(browser: Browser, step: string, body: unknown = {}, more: Record<string, string> = {}): Promise<Response> {
  const headers = {
    "content-type": "application/json",
    origin: "http://localhost:3000",
    "user-agent": "a test",
    cookie: cookieOf(browser),
    ...more,
  };
  const request = new Request(`http://localhost:3000/api/sign-in/${step}`, { method: "POST", headers, body: JSON.stringify(body) });
  const answer = await POST(request, { params: Promise.resolve({ step }) });
  for (const line of answer.headers.getSetCookie()) {
    const [name = "", value = ""] = line.split(";", 1)[0]?.split("=") ?? [];
    if (value) browser[name] = value;
    else delete browser[name];
  }
  return answer;
}

/** The JSON of a step that must work. */
export async function stepJson<T = Record<string, never>>(browser: Browser, step: string, body: unknown = {}): Promise<T> {
  const answer = await takeStep(browser, step, body);
  expect(answer.ok, `${step}: ${await answer.clone().text()}`).toBe(true);
  return (answer.status === 204 ? {} : await answer.json()) as T;
}

/** A person with a password, and the browser that they are signed in with. */
export type Person = TestAccount & { browser: Browser };

export async function makePerson(options: Parameters<typeof makeAccount>[0] = {}): Promise<Person> {
  const account = await makeAccount(options);
  await prisma().user.update({ where: { id: account.userId }, data: { passwordHash: await HASH } });
  return { ...account, browser: browserOf(account.cookie) };
}

export const browserOf = (cookie: string): Browser => ({ "signalbox.session": cookie.split("=")[1] ?? "" });

/** Signs in with the right password, as next-auth does once it has checked it. @param browser has the cookies of before */
export async function enterWithPassword({ userId }: { userId: string }, browser: Browser = {}): Promise<Browser> {
  const headers = new Headers({ cookie: cookieOf(browser), "user-agent": "a test" });
  const device = browser["signalbox.device"];
  const deviceHash = device ? hashToken(device) : null;
  const { sessionId } = await beginSession(headers, { userId, method: "password", deviceHash, now: new Date() });
  return { ...browser, "signalbox.session": sessionId };
}

/** Returns the code of the next period, or of another: set up with the present one, an app's next code is not used yet, whatever the clock does. */
export const codeAt = (secret: string, periods = 1): string =>
  TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: Date.now() + periods * 30_000 });

/** Sets up an authenticator app. @returns also the code that it was set up with */
export async function setUpTotp(browser: Browser): Promise<{ secret: string; code: string; recoveryCodes: string[] }> {
  const { secret } = await stepJson<{ secret: string }>(browser, "new-totp");
  const code = codeAt(secret, 0);
  const { recoveryCodes } = await stepJson<{ recoveryCodes: string[] | null }>(browser, "totp", { code });
  return { secret, code, recoveryCodes: recoveryCodes ?? [] };
}

/** A person with an authenticator app. */
export async function makeProtected(options: Parameters<typeof makePerson>[0] = {}) {
  const person = await makePerson(options);
  return { person, ...(await setUpTotp(person.browser)) };
}

/** Adds a passkey to the person who is signed in there. */
export async function setUpPasskey(browser: Browser, name = "Laptop"): Promise<{ authenticator: Authenticator; recoveryCodes: string[] }> {
  const authenticator = new Authenticator();
  const { options } = await stepJson<{ options: { challenge: string } }>(browser, "new-passkey");
  const { recoveryCodes } = await stepJson<{ recoveryCodes: string[] | null }>(browser, "passkey-registration", {
    name,
    response: authenticator.register(options),
  });
  return { authenticator, recoveryCodes: recoveryCodes ?? [] };
}

/** Asks for a challenge to prove a factor, or to sign in by passkey alone. */
export const challengeFor = async (browser: Browser, step: "proof-challenge" | "passkey-challenge"): Promise<{ challenge: string }> =>
  (await stepJson<{ options: { challenge: string } }>(browser, step)).options;

export const isIn = async (browser: Browser): Promise<boolean> =>
  (await findActor(new Headers({ cookie: cookieOf(browser) }), new Date())) !== null;

/** Proves a second factor with what must not complete the sign-in. */
export async function expectRejected(browser: Browser, proof: unknown, status = 400): Promise<void> {
  const answer = await takeStep(browser, "proof", { proof });
  expect([answer.status, await isIn(browser)], await answer.clone().text()).toEqual([status, false]);
}

export const statusesOf = async (answers: Promise<Response>[]): Promise<number[]> =>
  (await Promise.all(answers)).map(({ status }) => status).sort();
