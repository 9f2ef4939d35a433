import NextAuth from "next-auth";
import { beforeAll, expect, test } from "vitest";
import { findActor } from "#lib/auth/find-actor";
import { insertFirstOwner } from "#lib/auth/members/user-store";
import { newAuthRequest } from "#lib/auth/sign-in/auth-request";
import { nextAuthOptions } from "#lib/auth/sign-in/next-auth-options";
import { hashPassword } from "#lib/auth/sign-in/password";
import { pinNextAuthUrl, resetEnv } from "#lib/config/env";
import { prisma } from "#lib/db/prisma";
import { makeAccount, openSession } from "#tests/support/account";
import { useDatabase } from "#tests/support/database";

useDatabase();

const email = "ada@example.com";
const password = "tram-violet-7-lake";

beforeAll(async () => {
  pinNextAuthUrl();
  await insertFirstOwner({ email, name: "Ada", passwordHash: await hashPassword(password), workspaceName: "Acme" });
});

type Jar = Record<string, string>;

/** Returns what the route handler does, without Next: one request with the jar's cookies, whose answer fills the jar. */
async function ask(jar: Jar, method: string, path: string, body: Record<string, string> = {}) {
  const answer = new Answer();
  const request = { method, query: { nextauth: path.split("/") }, cookies: jar, headers: {}, body };
  const headers = new Headers({ cookie: headerOf(jar), "user-agent": "a test" });
  await (NextAuth as unknown as ApiHandler)(request, answer, nextAuthOptions(newAuthRequest(headers, new Date())));
  for (const line of answer.setCookies) {
    const [name = "", value = ""] = line.split(";", 1)[0]?.split("=") ?? [];
    if (value) jar[name] = decodeURIComponent(value);
    else delete jar[name];
  }
  return answer;
}

type ApiHandler = (request: object, response: Answer, options: ReturnType<typeof nextAuthOptions>) => Promise<void>;

class Answer {
  setCookies: string[] = [];
  redirect = "";
  body: unknown;
  status = () => this;
  end = () => undefined;
  getHeader = (name: string) => (name === "Set-Cookie" ? this.setCookies : undefined);
  setHeader(name: string, value: string | string[]) {
    if (name === "Set-Cookie") this.setCookies = [value].flat();
    if (name === "Location") this.redirect = String(value);
    return this;
  }
  json = (body: unknown) => this.send(body);
  send(body: unknown) {
    this.body = body;
  }
}

const headerOf = (jar: Jar) =>
  Object.entries(jar)
    .map(([name, value]) => `${name}=${value}`)
    .join("; ");
const actorOf = (jar: Jar) => findActor(new Headers({ cookie: headerOf(jar) }), new Date());

async function enter(jar: Jar, fields: Record<string, string>) {
  const { body } = await ask(jar, "GET", "csrf");
  return ask(jar, "POST", "callback/credentials", { csrfToken: String((body as { csrfToken: string }).csrfToken), ...fields });
}

test("a right password opens a session whose cookie is an opaque id, kept only as a hash", async () => {
  const jar: Jar = {};
  const answer = await enter(jar, { email: "ADA@example.com", password, callbackUrl: "/events?type=a" });
  expect(answer.redirect).toBe("http://localhost:3000/events?type=a");
  const cookie = answer.setCookies.find((line) => line.startsWith("signalbox.session="));
  expect(cookie).toMatch(/^signalbox\.session=[\w-]{43}; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Lax$/);
  expect(JSON.stringify(await prisma().session.findMany())).not.toContain(jar["signalbox.session"]);
  await expect(actorOf(jar)).resolves.toMatchObject({ role: "owner", workspaceName: "Acme", by: { kind: "session", email } });
});

test("a session dies at once when its row is deleted, and sign-out deletes it", async () => {
  const jar: Jar = {};
  await enter(jar, { email, password });
  const { body } = await ask(jar, "GET", "csrf");
  const stolen = { ...jar };
  await ask(jar, "POST", "signout", { csrfToken: (body as { csrfToken: string }).csrfToken });
  expect(jar["signalbox.session"]).toBeUndefined();
  await expect(actorOf(stolen)).resolves.toBeNull();
  expect((await ask(stolen, "GET", "session")).body).toEqual({});
});

test("a new sign-in in the same browser ends the session that it replaces", async () => {
  const jar: Jar = {};
  await enter(jar, { email, password });
  const before = { ...jar };
  await enter(jar, { email, password });
  await expect(actorOf(before)).resolves.toBeNull();
  await expect(actorOf(jar)).resolves.not.toBeNull();
});

test("asking next-auth who is there keeps the session and makes no second one", async () => {
  const jar: Jar = {};
  await enter(jar, { email, password });
  const sessions = await prisma().session.count();
  const before = jar["signalbox.session"];
  expect((await ask(jar, "GET", "session")).body).toMatchObject({ user: { email } });
  expect(jar["signalbox.session"]).toBe(before);
  expect(await prisma().session.count()).toBe(sessions);
});

test("a wrong password, an unknown address and a foreign return address all fail safely", async () => {
  for (const fields of [
    { email, password: "wrong-wrong-wrong" },
    { email: "nobody@example.com", password },
  ]) {
    const answer = await enter({}, fields);
    expect(answer.redirect).toContain("error=CredentialsSignin");
  }
  const answer = await enter({}, { email, password, callbackUrl: "https://evil.example/" });
  expect(answer.redirect).toBe("http://localhost:3000/");
});

test("without the token against forgery nobody is signed in", async () => {
  const jar: Jar = {};
  await ask(jar, "POST", "callback/credentials", { email, password, csrfToken: "guessed" });
  expect(jar["signalbox.session"]).toBeUndefined();
});

test("behind https the cookie is Secure and bound to the host", async () => {
  resetEnv({ APP_URL: "https://signalbox.example" });
  pinNextAuthUrl();
  const answer = await enter({}, { email, password });
  expect(answer.setCookies.find((line) => line.startsWith("__Host-signalbox.session="))).toContain("Path=/; Expires=");
  expect(answer.setCookies.every((line) => line.includes("; Secure"))).toBe(true);
});

test("an idle, an expired and an orphaned session open nothing", async () => {
  const account = await makeAccount();
  const ask = (cookie: string, inDays = 0) => findActor(new Headers({ cookie }), new Date(Date.now() + inDays * 86_400_000));
  await expect(ask(account.cookie)).resolves.toMatchObject({ workspaceId: account.workspaceId });
  await expect(ask(account.cookie, 2)).resolves.toBeNull();
  const idle = await openSession(account.workspaceId, account.userId);
  await prisma().session.update({ where: { idHash: idle.sessionHash }, data: { lastSeenAt: new Date(Date.now() - 8 * 86_400_000) } });
  await expect(ask(idle.cookie)).resolves.toBeNull();
  await prisma().membership.deleteMany({ where: { userId: account.userId } });
  await expect(ask(account.cookie)).resolves.toBeNull();
});
