import { describe, expect, it } from "vitest";
import { findFirstWorkspace } from "#lib/auth/members/user-store";
import { PERMISSIONS } from "#lib/auth/permissions";
import { newId } from "#lib/contracts/api/ids";
import { prisma } from "#lib/db/prisma";
import { BODY_BYTES, bodyLimitOf } from "#lib/http/request-body";
import { hashToken } from "#lib/vault/opaque-token";
import { makeAccount } from "#tests/support/account";
import { useDatabase } from "#tests/support/database";
import { callEndpoint, type Endpoint, listDeclared, listEndpoints, listRefusals } from "#tests/support/routes";
import { cookieOf, enterWithPassword, makePerson, setUpTotp } from "#tests/support/second-factors";

useDatabase({ SANDBOX: "on" });

/** Routes for anyone: each carries its own proof (a signature, a one-time token, a bound state) or tells nothing. */
const PUBLIC = [
  "api/[...unknown]",
  "api/auth/[...nextauth]",
  "api/join",
  "api/setup",
  "api/sign-in/[step]",
  "api/v1/openapi.json",
  "callback",
  "cli/[file]",
  "health/live",
  "health/ready",
  "metrics",
  "sandbox/oauth/authorize",
  "sandbox/oauth/authorize/decision",
  "sandbox/oauth/revoke",
  "sandbox/oauth/token",
  "sandbox/receiving-app/[id]",
  "webhooks/[source]",
];

/** Routes for anyone that read a body. The receiver has tests of its own (ingest/body-sizes). */
const PUBLIC_WITH_BODY = [
  "api/auth/[...nextauth]",
  "api/join",
  "api/setup",
  "api/sign-in/[step]",
  "sandbox/oauth/authorize/decision",
  "sandbox/oauth/revoke",
  "sandbox/oauth/token",
];

/** A call that says nothing right: only who asks can decide. */
const call = (endpoint: Endpoint, headers: Record<string, string>) => callEndpoint(endpoint, headers, { params: { id: "evt_of_nobody" } });

describe("every route", () => {
  it("has a rule of the table of permissions, or is on the short list of public ones", async () => {
    const endpoints = await listEndpoints();
    expect(endpoints.length).toBeGreaterThan(30);
    const without = endpoints.filter(({ declaration }) => !declaration).map(({ route }) => route);
    expect([...new Set(without)].sort()).toEqual(PUBLIC.filter((route) => without.includes(route)));
    for (const { declaration } of endpoints) if (declaration) expect(PERMISSIONS).toHaveProperty([declaration.operation]);
  });

  it("answers 401 to a made-up key, a made-up cookie and a session that waits for its second factor", async () => {
    const person = await makePerson();
    await setUpTotp(person.browser);
    const waiting = cookieOf(await enterWithPassword(person));
    const strangers: Record<string, string>[] = [
      { authorization: `Bearer sbx_${"x".repeat(40)}` },
      { cookie: "signalbox.session=made-up" },
      { cookie: waiting, origin: "http://localhost:3000" },
    ];
    for (const headers of strangers) {
      for (const endpoint of await listDeclared()) {
        const answer = await call(endpoint, headers);
        expect(answer.status, `${endpoint.method} ${endpoint.route}`).toBe(401);
        expect(answer.headers.get("content-type")).toBe("application/problem+json");
      }
    }
  });

  it("answers 403 where the role may not, for each role with a key, and never where it may", async () => {
    const first = await findFirstWorkspace();
    const { workspaceId } = await makeAccount({ ...(first && { workspaceId: first }) });
    const ruled = (await listDeclared()).filter(({ route }) => !route.endsWith("feed"));
    let cells = 0;
    for (const role of ["admin", "developer", "viewer"] as const) {
      const key = `sbx_${role.padEnd(40, "k")}`;
      await prisma().apiKey.create({ data: { id: newId("key"), workspaceId, name: role, hint: "sbx_", keyHash: hashToken(key), role } });
      for (const endpoint of ruled) {
        const may = (PERMISSIONS[endpoint.declaration.operation].roles as readonly string[]).includes(role);
        const { status } = await call(endpoint, { authorization: `Bearer ${key}` });
        if (may) expect([401, 403], `${role} ${endpoint.method} ${endpoint.route}`).not.toContain(status);
        else expect(status, `${role} ${endpoint.method} ${endpoint.route}`).toBe(403);
        cells += 1;
      }
    }
    expect(cells).toBe(3 * ruled.length);
  });

  it("answers a method that it does not take with a problem that names those that it takes", async () => {
    const refusals = await listRefusals();
    expect(refusals.length).toBeGreaterThan(200);
    for (const { handler, taken, ...endpoint } of refusals) {
      const place = `${endpoint.method} ${endpoint.route}`;
      if (!handler) throw new Error(`${place}: export all methods of defineRoute(…) from its route.ts`);
      const answer = await call({ ...endpoint, handler }, {});
      expect([answer.status, answer.headers.get("content-type")], place).toEqual([405, "application/problem+json"]);
      expect(await answer.json(), place).toMatchObject({ status: 405, code: "method_not_allowed" });
      const allowed = answer.headers.get("allow")?.split(", ");
      expect(allowed, place).toEqual([...taken.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : method)), "OPTIONS"]);
    }
  });

  it("reads no more of a body than its path takes, and answers 413, whatever length is announced", async () => {
    const first = await findFirstWorkspace();
    const { cookie } = await makeAccount({ ...(first && { workspaceId: first }) });
    const changes = (await listEndpoints()).filter(
      ({ route, method, declaration }) => method !== "GET" && (declaration ?? PUBLIC_WITH_BODY.includes(route)),
    );
    expect(changes.length).toBeGreaterThan(30);
    for (const { route, method, handler } of changes) {
      const url = `http://localhost:3000/${route.replaceAll(/\[(\.*)(\w+)\]/g, "x")}`;
      for (const announced of [null, "10", String(ENDLESS_BYTES)]) {
        const { body, readBytes } = endlessBody();
        const headers = { cookie, origin: "http://localhost:3000", ...(announced && { "content-length": announced }) };
        const request = new Request(url, { method, headers, body, duplex: "half" } as RequestInit);
        const params = { id: "evt_of_nobody", step: "confirmation", nextauth: ["callback", "credentials"] };
        const answer = await handler(request, { params: Promise.resolve(params as never) });
        const place = `${method} ${route}, announced ${announced}`;
        expect([answer.status, answer.headers.get("content-type")], place).toEqual([413, "application/problem+json"]);
        expect(await answer.json(), place).toMatchObject({ code: "too_large" });
        expect(readBytes(), place).toBeLessThanOrEqual(bodyLimitOf(new URL(url).pathname) + 2 * PIECE.length);
      }
    }
  });

  it("takes a larger body than others on three routes alone", async () => {
    const endpoints = await listEndpoints();
    const larger = endpoints.filter(({ route, method }) => method === "POST" && bodyLimitOf(`/${route}`) > BODY_BYTES);
    expect(larger.map(({ route }) => `/${route}`).sort()).toEqual([
      "/api/v1/redeliveries",
      "/api/v1/signature-checks",
      "/sandbox/api/events",
      "/sandbox/receiving-app/[id]",
    ]);
  });
});

const PIECE = new Uint8Array(16_384);
const ENDLESS_BYTES = 8_388_608;

/** A body of 8 MB, and how much of it was asked for. */
function endlessBody() {
  let given = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      given += PIECE.length;
      if (given > ENDLESS_BYTES) controller.close();
      else controller.enqueue(PIECE);
    },
  });
  return { body, readBytes: () => given };
}
