import { afterEach, expect, test } from "vitest";
import { pool } from "#lib/db/pool";
import { problemResponse } from "#lib/http/problem";
import { logger } from "#lib/observability/logger";
import { captureLog } from "#tests/support/captured-log";
import { useDatabase } from "#tests/support/database";
import { clearWorlds, makeExampleWorld } from "#tests/support/example-world";
import { EXAMPLE_ENV } from "#tests/support/hostile/hostile-input";
import { askWithHostileTexts, HOSTILE, insidesIn, isJsonLine } from "#tests/support/hostile/hostile-texts";
import { callExample, callRoute, listDeclared } from "#tests/support/routes";
import { seededSample } from "#tests/support/sample";

useDatabase(EXAMPLE_ENV);
afterEach(clearWorlds);

test("hostile values are answered with words, never with our insides, and one JSON line an entry is logged", {
  timeout: 300_000,
}, async () => {
  const { cookie } = await makeExampleWorld();
  const log = captureLog();
  const { asked, faults } = await askWithHostileTexts(cookie, seededSample());
  log.stop();
  expect(faults).toEqual([]);
  expect(
    log
      .text()
      .split("\n")
      .slice(0, -1)
      .filter((line) => !isJsonLine(line)),
  ).toEqual([]);
  expect(asked).toBeGreaterThan(200);
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
});

const KEPT = ["sessions", "users", "workspaces", "memberships", "api_keys", "idempotency_keys"];

test("with the database's tables gone every answer is a problem without our insides, logged once", {
  tags: ["deep"],
  timeout: 300_000,
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
});

test.each([
  ["api/v1/audit/export", "audit_entries", "csv"],
  ["api/v1/audit/export", "audit_entries", "ndjson"],
  ["api/v1/events/export", "event_refs", "csv"],
  ["api/v1/events/export", "event_refs", "ndjson"],
])("%s answers a problem, never a cut file, when %s can't be read (%s)", async (route, table, format) => {
  const { cookie } = await makeExampleWorld();
  const ask = () => callRoute("GET", route, { cookie }, { query: { format, ...(table === "event_refs" && { resource: "doc_example" }) } });
  const whole = await ask();
  expect(whole.status).toBe(200);
  expect(whole.headers.get("content-disposition")).toMatch(new RegExp(`^attachment; filename=".+\\.${format}"$`));
  expect((await whole.text()).length).toBeGreaterThan(0);
  await pool().query(`ALTER TABLE ${table} RENAME TO gone`);
  try {
    const answer = await ask();
    expect(answer.status).toBe(500);
    expect(answer.headers.get("content-type")).toBe("application/problem+json");
    expect(await answer.json()).toMatchObject({ code: "internal" });
  } finally {
    await pool().query(`ALTER TABLE gone RENAME TO ${table}`);
  }
});
