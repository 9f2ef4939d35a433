import { NextRequest } from "next/server";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { insertFirstOwner } from "#lib/auth/members/user-store";
import { hashPassword } from "#lib/auth/sign-in/password";
import { resetEnv } from "#lib/config/env";
import { closeListening } from "#lib/db/notifications";
import { closePools, pool } from "#lib/db/pool";
import { prisma } from "#lib/db/prisma";
import { makeAccount } from "#tests/support/account";
import { useDatabase } from "#tests/support/database";
import { TEST_ENV } from "#tests/support/environment";
import { FaultyProxy } from "#tests/support/faulty-proxy";
import { atSize, expectPace } from "#tests/support/pace";
import * as nextAuth from "../../../app/api/auth/[...nextauth]/route.ts";
import { GET as listConnections } from "../../../app/api/v1/connections/route.ts";
import { GET as callback } from "../../../app/callback/route.ts";

// The database takes what is sent and says nothing, on every connection.

vi.mock("next-auth", async (importOriginal) => (await import("#tests/support/plain-next-auth")).plainNextAuth(await importOriginal()));

const email = "ada@example.com";
const password = "tram-violet-7-lake";
/** A statement's own limit of 30 s, the grace of this side, and room for a loaded machine. */
const LIMIT_MS = 38_000;
/** In the quick suite a statement is given up after 3 s. */
const QUICK_LIMIT = atSize(1, 0) ? "" : "?query_timeout=3000";

const database = useDatabase();
let proxy: FaultyProxy;
let cookie = "";
beforeAll(async () => {
  await insertFirstOwner({ email, name: "Ada", passwordHash: await hashPassword(password), workspaceName: "Acme" });
  cookie = (await makeAccount()).cookie;
  proxy = await FaultyProxy.start(database.url());
  await throughProxy();
});
afterAll(async () => {
  await closePools();
  await proxy.close();
});

async function throughProxy(): Promise<void> {
  await closeListening();
  await closePools();
  resetEnv({ ...TEST_ENV, DATABASE_URL: `${proxy.url}${QUICK_LIMIT}` });
}

async function ask(path: string, init: { method?: string; body?: URLSearchParams; cookie?: string } = {}): Promise<Response> {
  const headers = new Headers({ cookie: init.cookie ?? "", "content-type": "application/x-www-form-urlencoded" });
  const request = new NextRequest(`http://localhost:3000${path}`, {
    method: init.method ?? "GET",
    headers,
    ...(init.body && { body: init.body }),
  });
  if (path.startsWith("/callback")) return callback(request);
  if (path.startsWith("/api/v1")) return listConnections(request, { params: Promise.resolve({}) });
  const nextauth = path.replace("/api/auth/", "").split("?")[0]?.split("/") ?? [];
  return (init.method === "POST" ? nextAuth.POST : nextAuth.GET)(request, { params: Promise.resolve({ nextauth }) });
}

/** The sign-in form's two requests; the first needs no database. */
async function signIn(): Promise<Response> {
  const csrf = await ask("/api/auth/csrf");
  const { csrfToken } = (await csrf.json()) as { csrfToken: string };
  const jar = csrf.headers
    .getSetCookie()
    .map((line) => line.split(";", 1)[0])
    .join("; ");
  const body = new URLSearchParams({ csrfToken, email, password, json: "true", callbackUrl: "/" });
  return ask("/api/auth/callback/credentials", { method: "POST", body, cookie: jar });
}

const CASES: [string, () => Promise<Response>][] = [
  ["an API route", () => ask("/api/v1/connections", { cookie })],
  ["the OAuth callback", () => ask("/callback?code=a&state=b", { cookie })],
  ["a session that is read", () => ask("/api/auth/session", { cookie })],
  ["sign-in", signIn],
];

test.each(["half_open", "refused"] as const)(
  "everything is answered with 503 and Retry-After while the database is %s, and no cookie is taken away",
  async (fault) => {
    await throughProxy();
    expect((await ask("/api/v1/connections", { cookie })).status).toBe(200); // and a connection is open
    await prisma().workspace.count();
    expect((await ask("/api/auth/session", { cookie })).status).toBe(200);
    await proxy.misbehave(fault);
    const since = performance.now();
    const answers = await Promise.all(CASES.map(async ([name, request]) => [name, await request()] as const));
    expectPace(performance.now() - since, LIMIT_MS);
    for (const [name, answer] of answers) {
      expect([name, answer.status, Number(answer.headers.get("retry-after")) > 0]).toEqual([name, 503, true]);
      expect(answer.headers.getSetCookie()).toEqual([]);
      const body = (await answer.json()) as { code: string; url?: string };
      expect(body.code).toBe("unavailable");
      if (name === "sign-in") expect(body.url).toMatch(/\/sign-in\?error=unavailable$/); // where next-auth's client looks
    }
    await proxy.misbehave("none");
    await vi.waitFor(async () => expect((await ask("/api/v1/connections", { cookie })).status).toBe(200), 30_000);
    await vi.waitFor(() => pool().query("SELECT 1"), 30_000);
  },
  90_000,
);
