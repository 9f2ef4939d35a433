import { afterEach, expect, it } from "vitest";
import { pool } from "#lib/db/pool";
import { useDatabase } from "#tests/support/database";
import { clearWorlds, makeExampleWorld } from "#tests/support/example-world";
import { callRoute } from "#tests/support/routes";

useDatabase({ SANDBOX: "on", PLATFORM_TOKEN_URL: "http://127.0.0.1:1" });
afterEach(clearWorlds);

it.each([
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
