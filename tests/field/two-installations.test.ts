import { NextRequest } from "next/server";
import { beforeAll, expect, it, vi } from "vitest";
import { sessionCookieLine } from "#lib/auth/credentials";
import { findActor } from "#lib/auth/find-actor";
import { insertFirstOwner } from "#lib/auth/members/user-store";
import { hashPassword } from "#lib/auth/sign-in/password";
import { pinNextAuthUrl, resetEnv } from "#lib/config/env";
import { useDatabase } from "#tests/support/database";
import { type Browser, cookieOf } from "#tests/support/second-factors";
import { GET, POST } from "../../app/api/auth/[...nextauth]/route.ts";

// Cookies don't know ports (RFC 6265, section 8.5). nextauthjs/next-auth#611, kanboard/kanboard#927

vi.mock("next-auth", async (importOriginal) => (await import("#tests/support/plain-next-auth")).plainNextAuth(await importOriginal()));

useDatabase();

const email = "ada@example.com";
const password = "tram-violet-7-lake";
const DEFAULT = "http://localhost:3000";
const FIRST = "http://localhost:3002";
const SECOND = "http://localhost:3001";

beforeAll(async () => {
  await insertFirstOwner({ email, name: "Ada", passwordHash: await hashPassword(password), workspaceName: "Acme" });
});

/** Is one of two installations from here on. They share a database here, so neither is at the default port, whose cookie the other would read. */
function be(appUrl: string): string {
  resetEnv({ APP_URL: appUrl });
  pinNextAuthUrl();
  return appUrl;
}

/** Asks the installation's own sign-in routes; the browser has one jar for both ports. */
async function ask(browser: Browser, at: string, path: string, form?: Record<string, string>): Promise<Response> {
  const url = new URL(`/api/auth/${path}`, be(at));
  const headers = { cookie: cookieOf(browser), "content-type": "application/x-www-form-urlencoded" };
  const request = new NextRequest(url, form ? { method: "POST", headers, body: new URLSearchParams(form) } : { headers });
  const answer = await (form ? POST : GET)(request, { params: Promise.resolve({ nextauth: path.split("/") }) });
  for (const line of answer.headers.getSetCookie()) {
    const [name = "", value = ""] = line.split(";", 1)[0]?.split("=") ?? [];
    if (value) browser[name] = value;
    else delete browser[name];
  }
  return answer;
}

async function send(browser: Browser, at: string, path: string, fields: Record<string, string> = {}): Promise<void> {
  const { csrfToken } = (await (await ask(browser, at, "csrf")).json()) as { csrfToken: string };
  await ask(browser, at, path, { csrfToken, json: "true", ...fields });
}

const enter = (browser: Browser, at: string) => send(browser, at, "callback/credentials", { email, password });

function isIn(browser: Browser, at: string): Promise<boolean> {
  be(at);
  return findActor(new Headers({ cookie: cookieOf(browser) }), new Date()).then((actor) => actor !== null);
}

it("who signs in to a second installation on the host stays signed in to the first, and signs out of one alone", async () => {
  const browser: Browser = {};
  await enter(browser, FIRST);
  await enter(browser, SECOND);
  expect([await isIn(browser, FIRST), await isIn(browser, SECOND)]).toEqual([true, true]);
  await send(browser, FIRST, "signout");
  expect([await isIn(browser, FIRST), await isIn(browser, SECOND)]).toEqual([false, true]);
  await enter(browser, FIRST);
  await send(browser, SECOND, "signout");
  expect([await isIn(browser, FIRST), await isIn(browser, SECOND)]).toEqual([true, false]);
});

it("a sign-in that has begun goes on after another began at the other installation", async () => {
  const browser: Browser = {};
  const { csrfToken } = (await (await ask(browser, SECOND, "csrf")).json()) as { csrfToken: string };
  const kept = { ...browser };
  await enter(browser, FIRST);
  for (const [name, value] of Object.entries(kept)) expect(browser[name]).toBe(value);
  await ask(browser, SECOND, "callback/credentials", { csrfToken, json: "true", email, password });
  expect(await isIn(browser, SECOND)).toBe(true);
});

it("a session in the cookie of before the update lasts until it ends, and sign-out ends it", async () => {
  const browser: Browser = {};
  await enter(browser, DEFAULT);
  expect(Object.keys(browser)).toContain("signalbox.session");
  expect(await isIn(browser, SECOND)).toBe(true);
  const stolen = { ...browser };
  await send(browser, SECOND, "signout");
  expect(await isIn(stolen, SECOND)).toBe(false);
});

it("no name begins with another's: next-auth takes what does for a part of it", () => {
  const names = ["http://localhost", DEFAULT, SECOND, "http://localhost:300"].map((at) => {
    be(at);
    return sessionCookieLine("x", 1).split("=", 1)[0] ?? "";
  });
  expect(names).toEqual(["signalbox.session", "signalbox.session", "signalbox-3001.session", "signalbox-300.session"]);
});
