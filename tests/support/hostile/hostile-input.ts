import { z } from "zod";
import type { RouteExample } from "#lib/api/route-declaration";
import { callEndpoint, type DeclaredEndpoint, listDeclared } from "#tests/support/routes";
import { type Sample, valuesOf } from "#tests/support/sample";
import { takeSnapshot } from "#tests/support/world-snapshot";

/** Environment needed to answer every example of a route, and no more. */
export const EXAMPLE_ENV = {
  SANDBOX: "on",
  PLATFORM_TOKEN_URL: "http://127.0.0.1:1",
  BACKUP_DIR: "no-worker-writes-here",
  API_REQUESTS_PER_MINUTE: "1000000",
};

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

/** The JSON schema of what a route takes; an empty one where it takes nothing. */
export const schemaOf = (schema: DeclaredEndpoint["declaration"]["query"]): Schema =>
  schema ? (z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as Schema) : {};

/** The paths of all fields of a body, those of its parts too. */
function pathsOf(schema: Schema, path: string[] = []): string[][] {
  const parts = [schema, ...(schema.anyOf ?? [])];
  return parts.flatMap(({ properties = {}, items }) => [
    ...Object.entries(properties).flatMap(([name, part]) => [[...path, name], ...pathsOf(part, [...path, name])]),
    ...(items ? [[...path, "0"], ...pathsOf(items, [...path, "0"])] : []),
  ]);
}

/** The paths of the fields whose content a schema leaves open, a payload filter's for example. */
function openPathsOf(schema: Schema, path: string[] = []): string[][] {
  const parts = [schema, ...(schema.anyOf ?? [])];
  const isOpen = parts.some((part) => Object.keys(part).every((key) => key === "default" || key === "additionalProperties"));
  const within = parts.flatMap(({ properties = {} }) =>
    Object.entries(properties).flatMap(([name, part]) => openPathsOf(part, [...path, name])),
  );
  return isOpen && path.length > 0 ? [path, ...within] : within;
}

/** Values deep in what is left open. */
const OBJECTS = [{ data: { a: "\ud800" } }, { data: { a: { $in: ["x", "\u0000"] } } }, { data: { "\udc00": 1 } }];

/** A body with a value in one of its fields. */
export function withField(body: unknown, [name, ...rest]: string[], value: unknown): unknown {
  if (name === undefined) return value;
  if (name === "0") return [withField(undefined, rest, value)];
  const object = typeof body === "object" && body !== null ? (body as Record<string, unknown>) : {};
  return { ...object, [name]: withField(object[name], rest, value) };
}

/** The route's example with one value in another's place: in its path, its query, or any field of its body. */
function* spoiled({ declaration }: DeclaredEndpoint, sample: Sample): Generator<RouteExample> {
  const { params = {}, query = {}, body } = declaration.example;
  let turn = 0;
  const values = () => {
    turn += 1;
    return [...valuesOf(sample, TEXTS, turn), ...valuesOf(sample, TIMES, turn)];
  };
  for (const name of Object.keys(params))
    for (const value of values()) yield { ...declaration.example, params: { ...params, [name]: value } };
  for (const name of ["unknown", ...Object.keys(schemaOf(declaration.query).properties ?? {})])
    for (const value of values()) yield { ...declaration.example, query: { ...query, [name]: value } };
  if (schemaOf(declaration.query).properties?.cursor)
    for (const cursor of valuesOf(sample, CURSORS, turn)) yield { ...declaration.example, query: { cursor } };
  for (const path of pathsOf(schemaOf(declaration.body)))
    for (const value of path.at(-1) === "cursor" ? valuesOf(sample, CURSORS, turn) : values())
      yield { ...declaration.example, body: withField(path.at(0) === "eventIds" ? {} : body, path, value) };
  for (const path of openPathsOf(schemaOf(declaration.body)))
    for (const value of OBJECTS) yield { ...declaration.example, body: withField(body, path, value) };
}

/**
 * Asks every route with hostile values, as a world's owner.
 *
 * @returns how often it asked, and which answers were errors of ours
 */
export async function askWithHostileInput(cookie: string, sample: Sample) {
  const restore = await takeSnapshot();
  const faults: Record<string, string> = {};
  let asked = 0;
  for (const endpoint of await listDeclared()) {
    for (const input of spoiled(endpoint, sample)) {
      const answer = await callEndpoint(endpoint, { cookie, origin: "http://localhost:3000" }, input);
      await answer.body?.cancel();
      asked += 1;
      if (answer.status >= 500) faults[`${endpoint.method} /${endpoint.route} ${answer.status}`] = JSON.stringify(input).slice(0, 200);
    }
    if (endpoint.method !== "GET") await restore();
  }
  return { asked, faults };
}
