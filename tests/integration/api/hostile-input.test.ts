import { beforeAll, describe, expect, test, vi } from "vitest";
import type { RouteExample } from "#lib/api/route-declaration";
import { Cursor } from "#lib/db/cursor";
import { useDatabase } from "#tests/support/database";
import { type ExampleWorld, makeExampleWorld } from "#tests/support/example-world";
import { EXAMPLE_ENV, schemaOf, withField } from "#tests/support/hostile/hostile-input";
import { callEndpoint, type DeclaredEndpoint, listDeclared } from "#tests/support/routes";
import { POST as join } from "../../../app/api/join/route.ts";
import { POST as setUp } from "../../../app/api/setup/route.ts";

useDatabase(EXAMPLE_ENV);

const JSON_FROM_US = { "content-type": "application/json", origin: "http://localhost:3000" };

describe("hostile input", () => {
  let world: ExampleWorld;
  let endpoints: DeclaredEndpoint[];
  beforeAll(async () => {
    world = await makeExampleWorld();
    endpoints = await listDeclared();
  });

  const ask = (endpoint: DeclaredEndpoint, input: RouteExample) =>
    callEndpoint(endpoint, { cookie: world.cookie, origin: "http://localhost:3000" }, input);

  test("nested deeper than calls can be is refused with words, on every route that takes a body", async () => {
    const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;
    const taking = endpoints.filter(({ declaration }) => declaration.body !== undefined);
    expect(taking.length).toBeGreaterThan(30);
    for (const { handler, route, method, declaration } of taking)
      for (const [name] of Object.entries(declaration.example.body ?? { a: 1 })) {
        const text = JSON.stringify({ ...(declaration.example.body as object), [name]: 0 }).replace(
          `"${name}":0`,
          `"${name}":${nested(10_000)}`,
        );
        const request = new Request(`http://localhost:3000/${route}`, {
          method,
          headers: { ...JSON_FROM_US, cookie: world.cookie },
          body: text,
        });
        const answer = await handler(request, { params: Promise.resolve(declaration.example.params ?? {}) });
        expect([answer.status, ((await answer.json()) as { detail: string }).detail], `${method} ${route} ${name}`).toEqual([
          400,
          expect.stringContaining("nested deeper"),
        ]);
      }
  });

  /** The request's example with a cursor, in its query or in its body. */
  const withCursor = ({ method, declaration: { example } }: DeclaredEndpoint, cursor: string): RouteExample =>
    method === "GET"
      ? { ...example, query: { ...example.query, cursor } }
      : { ...example, body: withField(example.body, ["cursor"], cursor) };

  test("a cursor with the list's own name and filter and a place that no row has is refused with words, on every list", async () => {
    const lists = endpoints.filter(({ declaration }) =>
      [declaration.query, declaration.body].some((schema) => schemaOf(schema).properties?.cursor),
    );
    expect(lists.length).toBeGreaterThan(15);
    for (const endpoint of lists) {
      const decode = vi.spyOn(Cursor.prototype, "decode");
      await ask(endpoint, withCursor(endpoint, "x"));
      const own = decode.mock.calls.findIndex(([cursor]) => cursor === "x"); // a flow may read another list's first page
      const [used, filter] = [decode.mock.contexts[own] as Cursor<Record<string, "id">> | undefined, decode.mock.calls[own]?.[1]];
      decode.mockRestore();
      for (const value of ["a\u0000b", "\ud800", 1e300, 0.5, null]) {
        const cursor = used?.encode(new Proxy({}, { get: () => value as never }), filter);
        const answer = await ask(endpoint, withCursor(endpoint, cursor ?? ""));
        expect(answer.status, `${endpoint.route} ${value}`).toBe(400);
        expect(((await answer.json()) as { detail: string }).detail, endpoint.route).toContain("cursor: it was modified");
      }
    }
  });

  test("a cursor of another list or another filter is refused with words, on every list", async () => {
    const lists = endpoints.filter(({ method, declaration }) => method === "GET" && schemaOf(declaration.query).properties?.cursor);
    expect(lists.length).toBeGreaterThan(12);
    const events = lists.find(({ route }) => route === "api/v1/events") as DeclaredEndpoint;
    const { nextCursor } = (await (await ask(events, { query: { limit: "1" } })).json()) as { nextCursor: string };
    expect((await ask(events, { query: { limit: "3", cursor: nextCursor } })).status).toBe(200);
    for (const endpoint of lists) {
      const query =
        endpoint === events ? { type: "task.created", cursor: nextCursor } : { ...endpoint.declaration.example.query, cursor: nextCursor };
      const answer = await ask(endpoint, { ...endpoint.declaration.example, query });
      expect(answer.status, endpoint.route).toBe(400);
      const words = endpoint === events ? "another filter" : "another list";
      const problem = { code: "invalid_request", errors: [{ path: "cursor" }], detail: expect.stringContaining(words) };
      expect(await answer.json(), endpoint.route).toMatchObject(problem);
    }
  });

  test("a path that names nothing is not found", async () => {
    for (const endpoint of endpoints.filter(({ method, route }) => method === "GET" && route.includes("[id]"))) {
      const answer = await ask(endpoint, { params: { ...endpoint.declaration.example.params, id: "nothing has this id" } });
      expect(answer.status, endpoint.route).toBe(404);
    }
  });
});

test.each([
  ["a\u0000b", "NUL"],
  ["\ud800", "a lone surrogate"],
])("a name with %j at set-up or in an invitation is refused before the link is looked at", async (name) => {
  const send = (body: unknown) =>
    new Request("http://localhost:3000/", { method: "POST", headers: JSON_FROM_US, body: JSON.stringify(body) });
  const account = { email: "ada@example.com", password: "tram-violet-7-lake" };
  for (const answer of [
    await setUp(send({ token: "t", ...account, workspaceName: name })),
    await setUp(send({ token: "t", ...account, name })),
    await setUp(send({ ...account, token: name })),
    await join(send({ token: "t", account: { ...account, name } })),
    await join(send({ token: name, account })),
  ])
    expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([400, "invalid_request"]);
});
