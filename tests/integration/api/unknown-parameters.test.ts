import { afterEach, expect, it } from "vitest";
import { openApiDocument } from "#lib/api/openapi";
import type { JsonSchema } from "#lib/contracts/api/openapi";
import { useDatabase } from "#tests/support/database";
import { clearWorlds, makeExampleWorld } from "#tests/support/example-world";
import { callExample, callRoute, findDeclared, listDeclared } from "#tests/support/routes";
import { readWhatCallsChange } from "#tests/support/table-rows";

useDatabase({ SANDBOX: "on", PLATFORM_TOKEN_URL: "http://127.0.0.1:1", API_REQUESTS_PER_MINUTE: "1000000" });
afterEach(clearWorlds);

const MISTYPED: [route: string, query: Record<string, string>, detail: string][] = [
  ["events", { stat: "failed" }, "Unknown parameter `stat`. Did you mean `state`?"],
  ["events", { status: "failed" }, "Unknown parameter `status`. Did you mean `state`?"],
  ["events", { Type: "document.error" }, "Unknown parameter `Type`. Did you mean `type`?"],
  ["events/export", { fromat: "csv" }, "Unknown parameter `fromat`. Did you mean `format`?"],
  ["documents/[id]", { asof: "2026-01-01" }, "Unknown parameter `asof`. Did you mean `asOf`?"],
  ["connections", { cursors: "x" }, "Unknown parameter `cursors`. Did you mean `cursor`?"],
  ["connections", { organisation: "x" }, "Unknown parameter `organisation`. Known: limit, cursor, state."],
  ["session", { limit: "5" }, "Unknown parameter `limit`. This operation accepts no parameters."],
];

it("a mistyped parameter is answered 400 and told what was meant", async () => {
  const { cookie } = await makeExampleWorld();
  for (const [route, query, detail] of MISTYPED) {
    const answer = await callRoute("GET", `api/v1/${route}`, { cookie }, { query });
    const errors = [{ path: Object.keys(query)[0], message: detail }];
    expect([answer.status, await answer.json()]).toMatchObject([400, { code: "invalid_request", detail, errors }]);
  }
});

it("every route of the API rejects an unknown parameter and changes nothing", async () => {
  const { cookie } = await makeExampleWorld();
  for (const endpoint of await listDeclared()) {
    const query = { ...endpoint.declaration.example.query, nobodyknows: "1" };
    const answer = await callExample(endpoint, { cookie, origin: "http://localhost:3000" }, { query });
    expect(`${endpoint.method} ${endpoint.route} ${answer.status}`).toBe(`${endpoint.method} ${endpoint.route} 400`);
    expect(await answer.json()).toMatchObject({ detail: expect.stringContaining("Unknown parameter `nobodyknows`.") });
  }
});

it("a declared parameter may still repeat", async () => {
  const { cookie } = await makeExampleWorld();
  const { handler } = await findDeclared("GET", "api/v1/events");
  const ask = (query: string) =>
    handler(new Request(`http://localhost:3000/api/v1/events?${query}`, { headers: { cookie } }), { params: Promise.resolve({}) });
  expect((await ask("type=document.processed&type=document.error&state=processed&state=failed&limit=5")).status).toBe(200);
  expect((await ask("type=document.processed&tipe=a&tipe=b")).status).toBe(400);
});

const FROM_US = { origin: "http://localhost:3000" };

const UNKNOWN_FIELDS: [route: string, body: object, detail: string][] = [
  ["redeliveries", { filter: {}, dry_run: true }, "Unknown field `dry_run`. Did you mean `dryRun`?"],
  ["redeliveries", { filter: {}, toDestinations: true }, "Unknown field `toDestinations`. Did you mean `destinations`?"],
  ["redeliveries", { filter: { stat: ["failed"] } }, "Unknown field `filter.stat`. Did you mean `state`?"],
  ["destinations", { name: "a", url: "https://a.example", filters: {} }, "Unknown field `filters`. Did you mean `filter`?"],
  ["sources/[id]/rotate", { overlap: "24h" }, "Unknown field `overlap`. Did you mean `overlapHours`?"],
  ["destinations/[id]/test", { event: "evt_example" }, "Unknown field `event`. This operation accepts no fields."],
];

it("a body with an unknown field is answered 400 and told what was meant", async () => {
  const { cookie } = await makeExampleWorld();
  for (const [route, body, detail] of UNKNOWN_FIELDS) {
    const endpoint = await findDeclared("POST", `api/v1/${route}`);
    const answer = await callExample(endpoint, { cookie, ...FROM_US }, { body });
    expect([answer.status, await answer.json()]).toMatchObject([400, { code: "invalid_request", detail }]);
  }
});

it("every field of every body is told from its misspelling, which changes nothing", { timeout: 120_000 }, async () => {
  const { cookie } = await makeExampleWorld();
  const endpoints = await listDeclared();
  const routes = endpoints.map((each) => ({ ...each, path: `/${each.route}` }));
  const { paths } = openApiDocument(routes, { serverUrl: "http://localhost:3000", version: "1" });
  const before = await readWhatCallsChange();
  const open: string[] = [];
  let asked = 0;
  for (const endpoint of endpoints) {
    const place = `${endpoint.method} /${endpoint.route}`;
    const schema = paths[`/${endpoint.route}`]?.[endpoint.method.toLowerCase()]?.requestBody?.content["application/json"]?.schema;
    if (!schema) continue;
    open.push(...openObjects(schema).map((path) => place + path));
    for (const { body, path, meant } of misspelt(place, schema, endpoint.declaration.example.body)) {
      const answer = await callExample(endpoint, { cookie, ...FROM_US }, { body });
      const detail = `Unknown field \`${path}\`. Did you mean \`${meant}\`?`;
      expect([place, answer.status, await answer.json()]).toMatchObject([place, 400, { detail: expect.stringContaining(detail) }]);
      asked += 1;
    }
  }
  expect(asked).toBeGreaterThan(120);
  expect(open).toEqual(["POST /api/v1/mcp"]);
  expect(await readWhatCallsChange()).toEqual(before);
});

it("free-form JSON stays free: a payload's filter and an event's data", async () => {
  const { cookie } = await makeExampleWorld();
  const ask = async (route: string, body: unknown) =>
    (await callExample(await findDeclared("POST", route), { cookie, ...FROM_US }, { body })).status;
  expect(await ask("sandbox/api/events", { type: "document.processed", data: { anyKey: { of: [{ any: "depth" }] } } })).toBe(202);
  expect(await ask("api/v1/destinations/preview", { filter: { data: { anyKey: { $eq: "x" } } } })).toBe(200);
});

type Misspelt = { place: string; body: unknown; path: string; meant: string };

/** A request for each field of a body: the example with that field's name misspelt. */
function misspelt(place: string, schema: JsonSchema, example: unknown): Misspelt[] {
  return fieldsOf(schema).map(({ path, variant }) => {
    const meant = String(path.at(-1));
    const wrong = [...path.slice(0, -1), `${meant}${meant.at(-1)}`];
    const body = withField({ ...(example as object), ...variant }, wrong, withoutField(example, path));
    return { place, body, path: wrong.join("."), meant };
  });
}

type Field = { path: string[]; variant: object };

/** Every field of the schema, those of its parts and variants too; free-form JSON has none. */
function fieldsOf(schema: JsonSchema, path: string[] = [], variant: object = {}): Field[] {
  const { properties = {}, items, additionalProperties } = schema;
  const fixed = Object.entries(properties).filter(([, part]) => part.const !== undefined);
  const own = { ...variant, ...Object.fromEntries(fixed.map(([name, part]) => [name, part.const])) };
  return [
    ...Object.entries(additionalProperties === false ? properties : {}).flatMap(([name, part]) => [
      { path: [...path, name], variant: own },
      ...fieldsOf(part, [...path, name], own),
    ]),
    ...(items ? fieldsOf(items, [...path, "0"], variant) : []),
    ...[...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].flatMap((option) => fieldsOf(option, path, variant)),
  ];
}

const withoutField = (example: unknown, [name, ...rest]: string[]): unknown =>
  name === undefined ? example : withoutField((example as Record<string, unknown> | undefined)?.[name], rest);

function withField(body: unknown, [name, ...rest]: string[], value: unknown): unknown {
  if (name === undefined) return value ?? null;
  if (name === "0") return [withField(undefined, rest, value)];
  const object = typeof body === "object" && body !== null ? (body as Record<string, unknown>) : {};
  return { ...object, [name]: withField(object[name], rest, value) };
}

/** Objects of a schema that take any key. */
const openObjects = (schema: JsonSchema, path = ""): string[] => [
  ...(schema.properties && schema.additionalProperties !== false ? [path] : []),
  ...Object.entries(schema.properties ?? {}).flatMap(([name, part]) => openObjects(part, `${path}.${name}`)),
  ...[...(schema.items ? [schema.items] : []), ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].flatMap((part) => openObjects(part, path)),
];
