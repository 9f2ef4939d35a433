import { z } from "zod";
import type { RouteExample } from "#lib/api/route-declaration";
import { callEndpoint, type DeclaredEndpoint, listDeclared } from "#tests/support/routes";
import { type Sample, valuesOf } from "#tests/support/sample";
import { takeSnapshot } from "#tests/support/world-snapshot";

/** Texts that an answer must never contain: stacks, places in the source, SQL, names of the database's parts, of the driver. */
const INSIDES = [
  /\bat [\w.<>]+ \(/,
  /\.(ts|tsx|js|mjs|cjs):\d+/,
  /node_modules|file:\/\/|\/(work|home|usr|var|root|tmp)\//,
  /\b(SELECT|INSERT INTO|UPDATE \w+ SET|DELETE FROM|FROM \w+ WHERE)\b/,
  /relation "|column "|syntax error|violates|duplicate key|invalid input syntax|invalid byte sequence/i,
  /prisma|postgres|\bpg_|\bECONN|42P01|22P0\d/i,
];

/** Returns which of them a text holds. */
export const insidesIn = (text: string): string[] => INSIDES.filter((pattern) => pattern.test(text)).map(String);

/** True if a line of the log is one JSON object. */
export const isJsonLine = (line: string): boolean => {
  try {
    return typeof JSON.parse(line) === "object";
  } catch {
    return false;
  }
};

/** Texts that break a log line, a terminal, a query, a path or a number. */
export const HOSTILE = [
  "a\nb",
  'a\r\n{"level":50,"msg":"forged"}\r\n',
  "\u0000",
  "a\u0000b",
  "\u001b[31mred\u001b[0m",
  "\u2028\u2029\u0085",
  "\ud800",
  '"},{"',
  "'; DROP TABLE events; --",
  "' OR 1=1 --",
  "%",
  "%00",
  "../../etc/passwd",
  "{{7*7}}",
  "-1",
  "1e309",
  "NaN",
  "99999999999999999999",
  "9".repeat(400),
  "x".repeat(5000),
  "[object Object]",
  "2026-13-45T99:99:99Z",
  "",
  " ",
];

/** Bodies that are no objects, for routes that change something. */
const ODD = [null, 5, [], { a: { b: [] } }];

/** The example with one of its values, in path, query or body, in another's place. */
function* spoiled({ method, declaration }: DeclaredEndpoint, sample: Sample): Generator<RouteExample> {
  const { params = {}, query = {}, body } = declaration.example;
  const hostile = method === "GET" ? HOSTILE : [...HOSTILE, ...ODD];
  let turn = 0;
  const values = () => {
    turn += 1;
    return valuesOf<unknown>(sample, hostile, turn);
  };
  for (const name of Object.keys(params))
    for (const value of values()) yield { ...declaration.example, params: { ...params, [name]: String(value) } };
  const { properties: known = {} } = declaration.query ? z.toJSONSchema(declaration.query, { io: "input", unrepresentable: "any" }) : {};
  for (const name of ["unknown", ...Object.keys(known)])
    for (const value of values()) yield { ...declaration.example, query: { ...query, [name]: String(value) } };
  if (declaration.body && typeof body === "object" && body !== null)
    for (const name of Object.keys(body)) for (const value of values()) yield { ...declaration.example, body: { ...body, [name]: value } };
  if (declaration.body) for (const value of values()) yield { ...declaration.example, body: value };
}

/** Its answers are those of JSON-RPC. */
const OTHER_PROTOCOL = "api/v1/mcp";

/**
 * Asks every route, but those that delete and the feeds, with hostile texts.
 *
 * @returns how often it asked, and what was wrong with which answer
 */
export async function askWithHostileTexts(cookie: string, sample: Sample) {
  const restore = await takeSnapshot(); // a change may end the session
  const faults = new Set<string>();
  let asked = 0;
  for (const endpoint of await listDeclared()) {
    if (endpoint.route.endsWith("/feed") || endpoint.method === "DELETE") continue;
    for (const input of spoiled(endpoint, sample)) {
      const answer = await callEndpoint(endpoint, { cookie, origin: "http://localhost:3000" }, input);
      const text = await answer.text();
      asked += 1;
      const where = `${endpoint.method} /${endpoint.route} ${JSON.stringify(input).slice(0, 160)}`;
      if (answer.status >= 500) faults.add(`${where} is answered ${answer.status}`);
      if (!answer.ok && endpoint.route !== OTHER_PROTOCOL && answer.headers.get("content-type") !== "application/problem+json")
        faults.add(`${where} is no problem document`);
      if (!answer.ok && insidesIn(text).length > 0) faults.add(`${where} shows ${insidesIn(text)}: ${text.slice(0, 200)}`);
    }
    if (endpoint.method !== "GET") await restore();
  }
  return { asked, faults: [...faults] };
}
