import { readdirSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { PERMISSIONS } from "#lib/auth/permissions";
import { newId } from "#lib/contracts/ids";
import { prisma } from "#lib/db/prisma";
import type { RouteRule } from "#lib/http/define-route";
import { hashToken } from "#lib/vault/opaque-token";
import { makeAccount } from "#tests/support/account";
import { useDatabase } from "#tests/support/database";

useDatabase({ SANDBOX: "on" });

const APP = path.resolve(import.meta.dirname, "../../app");
const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

/** Routes for anyone: each carries its own proof (a signature, a one-time token, a bound state) or tells nothing. */
const PUBLIC = [
  "api/auth/[...nextauth]",
  "api/setup",
  "callback",
  "health/live",
  "health/ready",
  "metrics",
  "sandbox/oauth/authorize",
  "sandbox/oauth/authorize/decision",
  "sandbox/oauth/revoke",
  "sandbox/oauth/token",
  "webhooks/[source]",
];

type Handler = ((request: Request, context: { params: Promise<Record<string, string>> }) => Promise<Response>) & { rule?: RouteRule };
type Endpoint = { route: string; method: string; handler: Handler };

async function inventory(): Promise<Endpoint[]> {
  const files = readdirSync(APP, { recursive: true, encoding: "utf8" }).filter((file) => path.basename(file) === "route.ts");
  const endpoints: Endpoint[] = [];
  for (const file of files) {
    const module = new Map(Object.entries((await import(path.join(APP, file))) as Record<string, unknown>));
    for (const method of METHODS) {
      const handler = module.get(method);
      if (typeof handler === "function") endpoints.push({ route: path.dirname(file), method, handler: handler as Handler });
    }
  }
  return endpoints;
}

async function call({ route, method, handler }: Endpoint, headers: Record<string, string>): Promise<Response> {
  const params = { id: "evt_of_nobody" };
  const url = `http://localhost:3000/${route.replace("[id]", params.id)}`;
  const body = method === "GET" ? {} : { body: "{}" };
  return handler(new Request(url, { method, headers: { "content-type": "application/json", ...headers }, ...body }), {
    params: Promise.resolve(params),
  });
}

describe("every route", () => {
  it("has a rule of the table of permissions, or is on the short list of public ones", async () => {
    const endpoints = await inventory();
    expect(endpoints.length).toBeGreaterThan(30);
    const without = endpoints.filter(({ handler }) => !handler.rule).map(({ route }) => route);
    expect([...new Set(without)].sort()).toEqual(PUBLIC.filter((route) => without.includes(route)));
    for (const { handler } of endpoints) if (handler.rule) expect(PERMISSIONS).toHaveProperty([handler.rule.operation]);
  });

  it("answers 401 to nobody, to a made-up key and to a made-up cookie", async () => {
    const ruled = (await inventory()).filter(({ handler }) => handler.rule);
    for (const headers of [{}, { authorization: `Bearer sbx_${"x".repeat(40)}` }, { cookie: "signalbox.session=made-up" }] as Record<
      string,
      string
    >[]) {
      for (const endpoint of ruled) {
        const answer = await call(endpoint, headers);
        expect(answer.status, `${endpoint.method} ${endpoint.route}`).toBe(401);
        expect(answer.headers.get("content-type")).toBe("application/problem+json");
      }
    }
  });

  it("answers 403 where the role may not, for each role with a key, and never where it may", async () => {
    const { workspaceId } = await makeAccount();
    const ruled = (await inventory()).filter(({ handler, route }) => handler.rule && !route.endsWith("feed"));
    let cells = 0;
    for (const role of ["admin", "developer", "viewer"] as const) {
      const key = `sbx_${role.padEnd(40, "k")}`;
      await prisma().apiKey.create({ data: { id: newId("key"), workspaceId, name: role, hint: "sbx_", keyHash: hashToken(key), role } });
      for (const endpoint of ruled) {
        const operation = endpoint.handler.rule?.operation;
        const may = operation !== undefined && (PERMISSIONS[operation].roles as readonly string[]).includes(role);
        const { status } = await call(endpoint, { authorization: `Bearer ${key}` });
        if (may) expect([401, 403], `${role} ${endpoint.method} ${endpoint.route}`).not.toContain(status);
        else expect(status, `${role} ${endpoint.method} ${endpoint.route}`).toBe(403);
        cells += 1;
      }
    }
    expect(cells).toBe(3 * ruled.length);
  });

  it("refuses a change that a session is made to ask for by another site", async () => {
    const { cookie } = await makeAccount();
    const changes = (await inventory()).filter(({ handler, method }) => handler.rule && method !== "GET");
    expect(changes.length).toBeGreaterThan(5);
    for (const origin of [undefined, "null", "https://evil.example", "http://localhost:3000.evil.example"]) {
      for (const endpoint of changes) {
        const answer = await call(endpoint, { cookie, ...(origin && { origin }) });
        expect(answer.status, `${endpoint.method} ${endpoint.route} from ${origin}`).toBe(403);
      }
    }
  });
});
