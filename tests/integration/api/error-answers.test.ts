import { afterEach, expect, test } from "vitest";
import { z } from "zod";
import type { RouteExample } from "#lib/api/route-declaration";
import { pool } from "#lib/db/pool";
import { problemResponse } from "#lib/http/problem";
import { logger } from "#lib/observability/logger";
import { captureLog } from "#tests/support/captured-log";
import { useDatabase } from "#tests/support/database";
import { clearWorlds, makeExampleWorld } from "#tests/support/example-world";
import { figure } from "#tests/support/figure";
import { callEndpoint, callExample, type DeclaredEndpoint, listDeclared } from "#tests/support/routes";

useDatabase({
  SANDBOX: "on",
  PLATFORM_TOKEN_URL: "http://127.0.0.1:1",
  BACKUP_DIR: "no-worker-writes-here",
  API_REQUESTS_PER_MINUTE: "1000000",
});
afterEach(clearWorlds);

/** What an answer must never hold: stacks, places in the source, SQL, names of the database's parts, of the driver. */
const INSIDES = [
  /\bat [\w.<>]+ \(/,
  /\.(ts|tsx|js|mjs|cjs):\d+/,
  /node_modules|file:\/\/|\/(work|home|usr|var|root|tmp)\//,
  /\b(SELECT|INSERT INTO|UPDATE \w+ SET|DELETE FROM|FROM \w+ WHERE)\b/,
  /relation "|column "|syntax error|violates|duplicate key|invalid input syntax|invalid byte sequence/i,
  /prisma|postgres|\bpg_|ECONN|42P01|22P0\d/i,
];

const insidesIn = (text: string): string[] => INSIDES.filter((pattern) => pattern.test(text)).map(String);

const isJsonLine = (line: string): boolean => {
  try {
    return typeof JSON.parse(line) === "object";
  } catch {
    return false;
  }
};

/** Texts that break a log line, a terminal, a query, a path or a number. */
const HOSTILE = [
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

/** The example with one of its values, in path, query or body, in another's place. */
function* spoiled(endpoint: DeclaredEndpoint, value: unknown): Generator<RouteExample> {
  const { declaration } = endpoint;
  const { params = {}, query = {}, body } = declaration.example;
  for (const name of Object.keys(params)) yield { ...declaration.example, params: { ...params, [name]: String(value) } };
  const { properties: known = {} } = declaration.query ? z.toJSONSchema(declaration.query, { io: "input", unrepresentable: "any" }) : {};
  for (const name of ["unknown", ...Object.keys(known)]) yield { ...declaration.example, query: { ...query, [name]: String(value) } };
  if (declaration.body && typeof body === "object" && body !== null)
    for (const name of Object.keys(body)) yield { ...declaration.example, body: { ...body, [name]: value } };
  if (declaration.body) yield { ...declaration.example, body: value };
}

test("hostile values are answered with words, never with our insides, and one JSON line an entry is logged", {
  timeout: 240_000,
}, async () => {
  const { cookie } = await makeExampleWorld();
  const log = captureLog();
  const faults = new Set<string>();
  let asked = 0;
  // Reading routes take every text; changing ones the bodies that are no objects too.
  for (const endpoint of await listDeclared()) {
    if (endpoint.route.endsWith("/feed") || endpoint.method === "DELETE") continue;
    for (const value of [...HOSTILE, ...(endpoint.method === "GET" ? [] : [null, 5, [], { a: { b: [] } }])]) {
      for (const input of spoiled(endpoint, value)) {
        const answer = await callEndpoint(endpoint, { cookie, origin: "http://localhost:3000" }, input);
        const text = await answer.text();
        asked += 1;
        const where = `${endpoint.method} /${endpoint.route} ${JSON.stringify(input).slice(0, 160)}`;
        if (answer.status >= 500) faults.add(`${where} is answered ${answer.status}`);
        if (!answer.ok && answer.headers.get("content-type") !== "application/problem+json") faults.add(`${where} is no problem document`);
        if (!answer.ok && insidesIn(text).length > 0) faults.add(`${where} shows ${insidesIn(text)}: ${text.slice(0, 200)}`);
      }
    }
  }
  log.stop();
  const lines = log.text().split("\n").slice(0, -1);
  expect([...faults]).toEqual([]);
  expect(lines.filter((line) => !isJsonLine(line))).toEqual([]);
  figure(`${asked} calls with hostile values: 0 answered 5xx, 0 showed a stack, SQL or a path`);
});

test("whatever an error's message holds, it is logged as one line of JSON and answered without it", async () => {
  const log = captureLog();
  for (const value of HOSTILE) {
    const answer = problemResponse(new Error(`canary ${value}`));
    expect(answer.status).toBe(500);
    expect(await answer.text()).not.toContain("canary");
    logger().warn({ reason: value, [value || "empty"]: value }, value);
  }
  log.stop();
  const lines = log.text().split("\n").slice(0, -1);
  expect(lines).toHaveLength(2 * HOSTILE.length);
  expect(lines.filter((line) => !isJsonLine(line))).toEqual([]);
  // Bytes that a terminal obeys, or that end a line for some reader, travel escaped.
  expect([...log.text()].filter((sign) => sign < " " && sign !== "\n")).toEqual([]);
  figure(`${lines.length} log entries with hostile messages, names and values: ${lines.length} lines, each JSON, 0 control characters`);
});

const KEPT = ["sessions", "users", "workspaces", "memberships", "api_keys", "idempotency_keys"];

test("with the database's tables gone every answer is a problem without our insides, logged once", {
  timeout: 60_000,
}, async () => {
  const { cookie } = await makeExampleWorld();
  const { rows } = await pool().query<{ name: string }>(
    "SELECT relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = 'public' AND relkind IN ('r', 'p') AND NOT relispartition",
  );
  const gone = rows.map(({ name }) => name).filter((name) => !KEPT.includes(name) && !name.startsWith("_"));
  for (const name of gone) await pool().query(`ALTER TABLE "${name}" RENAME TO "${name}_gone"`);
  const log = captureLog();
  let broken = 0;
  try {
    for (const endpoint of await listDeclared()) {
      if (endpoint.route.endsWith("/feed")) continue;
      const before = log.text().length;
      const answer = await callExample(endpoint, { cookie, origin: "http://localhost:3000" });
      // An export that has begun is cut off: its status is sent, and there is nothing that it may still say.
      const text = await answer.text().catch(() => "");
      if (answer.status < 500) continue;
      broken += 1;
      expect(JSON.parse(text), endpoint.route).toMatchObject({ code: "internal" });
      expect(insidesIn(text), endpoint.route).toEqual([]);
      const lines = log.text().slice(before).trimEnd().split("\n");
      expect(lines, endpoint.route).toHaveLength(1);
      expect(isJsonLine(lines[0] ?? "")).toBe(true);
    }
  } finally {
    log.stop();
    for (const name of gone) await pool().query(`ALTER TABLE "${name}_gone" RENAME TO "${name}"`);
  }
  expect(broken).toBeGreaterThan(20);
  figure(`${broken} routes with their tables gone: each a problem without a stack, SQL or a path, each logged once`);
});
