import { beforeAll, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import type { RouteExample } from "#lib/api/route-declaration";
import { Cursor } from "#lib/db/cursor";
import { useDatabase } from "#tests/support/database";
import { type ExampleWorld, makeExampleWorld } from "#tests/support/example-world";
import { callEndpoint, type DeclaredEndpoint, listDeclared } from "#tests/support/routes";
import { takeSnapshot } from "#tests/support/world-snapshot";
import { POST as join } from "../../../app/api/join/route.ts";
import { POST as setUp } from "../../../app/api/setup/route.ts";

useDatabase({
  SANDBOX: "on",
  PLATFORM_TOKEN_URL: "http://127.0.0.1:1",
  BACKUP_DIR: "no-worker-writes-here",
  API_REQUESTS_PER_MINUTE: "1000000",
});

const JSON_FROM_US = { "content-type": "application/json", origin: "http://localhost:3000" };

const encoded = (text: string) => Buffer.from(text).toString("base64url");

/** Texts that a database, a calendar or a number can't hold. */
const TEXTS = [
  "\u0000",
  "a\u0000b",
  "\ud800",
  "a\udc00b",
  "source:a\u0000b",
  `data.${"\ufdfa".repeat(150)}:x`,
  `${"\ufdfa".repeat(180)}`,
  "document:\u0000",
  "9".repeat(40),
  "-9223372036854775809",
];
const TIMES = [
  "0000-01-01T00:00:00Z",
  "0000-12-31T23:59:59Z",
  "0001-01-01T00:00:00+00:01",
  "0001-01-01T00:00:00+15:59",
  "9999-12-31T23:59:59-00:01",
  "2026-01-01T00:00:00+16:00",
  "2026-01-01T00:00:00+23:59",
  "2026-01-01T00:00:00-23:59",
  `2026-01-01T00:00:00.${"1".repeat(200)}Z`,
  "+275760-09-13T00:00:00Z",
  "-271821-04-20T00:00:00Z",
  "2026-02-30T00:00:00Z",
  "275760-09-13T00:00:00Z",
  "0001-01-01T00:00:00Z",
  "9999-12-31T23:59:59.999999999Z",
];
const PLACES: [at: unknown, id: unknown][] = [
  [Date.UTC(2026, 0, 1), "a\u0000b"],
  [Date.UTC(2026, 0, 1), "\ud800"],
  [8.64e15, "a"],
  [253_402_300_800_000, "a"],
  [-62_167_219_200_001, "a"],
  [1e300, "a"],
  ["0000-01-01T00:00:00.000Z", "a"],
  [null, null],
  [1, "x".repeat(1001)],
  [{}, []],
];
const CURSORS = [
  "x",
  "5",
  "%",
  encoded(""),
  encoded("null"),
  encoded("[]"),
  encoded("{}"),
  ...["+275760-09-13T00:00:00.000Z", "0000-01-01T00:00:00.000Z", "-000001-01-01T00:00:00.000Z", "2026-01-01T00:00:00.000Z"].flatMap(
    (time) => ["1", "a", "a\u0000b"].map((id) => encoded(`${time} ${id}`)),
  ),
  ...PLACES.map((place) => encoded(JSON.stringify(place))),
];

type Schema = { type?: string; properties?: Record<string, Schema>; items?: Schema; anyOf?: Schema[]; format?: string };

const schemaOf = (schema: DeclaredEndpoint["declaration"]["query"]): Schema =>
  schema ? (z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as Schema) : {};

/** The paths of all fields of a body, those of its parts too. */
function pathsOf(schema: Schema, path: string[] = []): string[][] {
  const parts = [schema, ...(schema.anyOf ?? [])];
  return parts.flatMap(({ properties = {}, items }) => [
    ...Object.entries(properties).flatMap(([name, part]) => [[...path, name], ...pathsOf(part, [...path, name])]),
    ...(items ? [[...path, "0"], ...pathsOf(items, [...path, "0"])] : []),
  ]);
}

function withField(body: unknown, [name, ...rest]: string[], value: unknown): unknown {
  if (name === undefined) return value;
  if (name === "0") return [withField(undefined, rest, value)];
  const object = typeof body === "object" && body !== null ? (body as Record<string, unknown>) : {};
  return { ...object, [name]: withField(object[name], rest, value) };
}

/** The route's example with one value in another's place: in its path, its query, or any field of its body. */
function* spoiled({ declaration }: DeclaredEndpoint): Generator<RouteExample> {
  const { params = {}, query = {}, body } = declaration.example;
  const values = [...TEXTS, ...TIMES];
  for (const name of Object.keys(params))
    for (const value of values) yield { ...declaration.example, params: { ...params, [name]: value } };
  for (const name of ["unknown", ...Object.keys(schemaOf(declaration.query).properties ?? {})])
    for (const value of values) yield { ...declaration.example, query: { ...query, [name]: value } };
  if (schemaOf(declaration.query).properties?.cursor) for (const cursor of CURSORS) yield { ...declaration.example, query: { cursor } };
  for (const path of pathsOf(schemaOf(declaration.body)))
    for (const value of path.at(-1) === "cursor" ? CURSORS : values)
      yield { ...declaration.example, body: withField(path.at(0) === "eventIds" ? {} : body, path, value) };
}

describe("hostile input", () => {
  let world: ExampleWorld;
  let endpoints: DeclaredEndpoint[];
  beforeAll(async () => {
    world = await makeExampleWorld();
    endpoints = await listDeclared();
  });

  const ask = (endpoint: DeclaredEndpoint, input: RouteExample) =>
    callEndpoint(endpoint, { cookie: world.cookie, origin: "http://localhost:3000" }, input);

  test("in a path, a query, a cursor or any field of a body is never answered with an error of ours", { timeout: 300_000 }, async () => {
    const restore = await takeSnapshot();
    const faults = new Map<string, string>();
    let asked = 0;
    for (const endpoint of endpoints) {
      const place = `${endpoint.method} /${endpoint.route}`;
      for (const input of spoiled(endpoint)) {
        const answer = await ask(endpoint, input);
        await answer.body?.cancel();
        asked += 1;
        if (answer.status >= 500) faults.set(`${place} ${answer.status}`, JSON.stringify(input).slice(0, 200));
      }
      if (endpoint.method !== "GET") await restore();
    }
    expect(Object.fromEntries(faults)).toEqual({});
    expect(asked).toBeGreaterThan(3000);
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
      const [used, filter] = [decode.mock.contexts[0] as Cursor<Record<string, "id">> | undefined, decode.mock.calls[0]?.[1]];
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
      expect(await answer.json(), endpoint.route).toMatchObject({ code: "invalid_request", errors: [{ path: "cursor" }] });
      const again = await ask(endpoint, { ...endpoint.declaration.example, query });
      expect(((await again.json()) as { detail: string }).detail, endpoint.route).toContain(words);
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
