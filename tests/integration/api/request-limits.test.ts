import { expect, onTestFinished, test } from "vitest";
import { resetEnv } from "#lib/config/env";
import { pool } from "#lib/db/pool";
import { makeAccount } from "#tests/support/account";
import { useDatabase } from "#tests/support/database";
import { callExample, findDeclared } from "#tests/support/routes";

useDatabase();

test("each caller has a quota that every answer tells, and beyond it gets 429 with the seconds to wait", async () => {
  resetEnv({ API_REQUESTS_PER_MINUTE: "5" });
  onTestFinished(() => void resetEnv({ API_REQUESTS_PER_MINUTE: "6000" }));
  const [mine, other] = [await makeAccount(), await makeAccount()];
  const session = await findDeclared("GET", "api/v1/session");
  const ask = (cookie: string) => callExample(session, { cookie });
  for (let left = 4; left >= 0; left -= 1) {
    const { status, headers } = await ask(mine.cookie);
    expect(status).toBe(200);
    expect(headers.get("ratelimit-policy")).toBe('"api";q=5;w=60');
    expect(headers.get("ratelimit")).toMatch(new RegExp(`^"api";r=${left};t=\\d+$`));
  }
  const refused = await ask(mine.cookie);
  expect(refused.status).toBe(429);
  expect(await refused.json()).toMatchObject({ code: "too_many_requests" });
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(refused.headers.get("signalbox-version")).toMatch(/^\d/);
  expect(refused.headers.get("ratelimit")).toMatch(/^"api";r=0;t=\d+$/);
  expect((await ask(other.cookie)).status).toBe(200);
});

/** As many of one caller's requests as run and wait at most (lib/api/request-limits.ts). */
const TAKEN = 41;

test("one caller's expensive requests beyond those that wait get 429 with the seconds to wait; another caller is answered", {
  tags: ["deep"],
}, async () => {
  const [mine, other] = [await makeAccount(), await makeAccount()];
  const throughput = await findDeclared("GET", "api/v1/pipelines/[id]/throughput");
  const holder = await pool().connect();
  await holder.query("BEGIN; LOCK TABLE task_moves IN ACCESS EXCLUSIVE MODE");
  const answers = Array.from({ length: TAKEN }, () => callExample(throughput, { cookie: mine.cookie }));
  try {
    const refused = await callExample(throughput, { cookie: mine.cookie });
    expect(refused.status).toBe(429);
    expect(refused.headers.get("retry-after")).toBe("5");
    expect(await refused.json()).toMatchObject({ code: "too_many_requests", detail: expect.stringMatching(/^Too many of your/) });
    expect((await callExample(await findDeclared("GET", "api/v1/events"), { cookie: other.cookie })).status).toBe(200);
  } finally {
    await holder.query("ROLLBACK");
    holder.release();
  }
  await Promise.all(answers);
});
