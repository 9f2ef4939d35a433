import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { resetEnv } from "#lib/config/env";
import { pool } from "#lib/db/pool";
import { makeAccount } from "#tests/support/account";
import { type CapturedLog, captureLog } from "#tests/support/captured-log";
import { useHostilePlatform } from "#tests/support/hostile-platform";
import { actorOf, begin } from "#tests/support/platform-connection";
import { GET, HEAD } from "../../../app/callback/route.ts";

const { platform } = useHostilePlatform();

/** Comes back with a code that nobody else has, and looks for it in everything that is left behind. */
async function comeBackWatched(prepare: () => unknown, withState: boolean, log: CapturedLog): Promise<void> {
  const account = await makeAccount();
  const { state } = await begin(await actorOf(account));
  await prepare();
  const code = `code-${randomUUID()}`;
  const query = new URLSearchParams({ code, ...(withState && { state }) });
  const answer = await GET(new Request(`http://localhost:3000/callback?${query}`, { headers: { cookie: account.cookie } }));
  expect(answer.headers.get("cache-control")).toBe("no-store");
  expect(answer.headers.get("referrer-policy")).toBe("no-referrer");
  const shown = `${[...answer.headers].join()} ${await answer.text()}`;
  const location = answer.headers.get("location");
  if (location) expect([...new URL(location).searchParams.keys()]).toEqual(["outcome"]);
  for (const secret of [code, state]) {
    expect(shown).not.toContain(secret);
    expect(log.text()).not.toContain(secret);
  }
}

describe("the callback's answer keeps nothing and tells nothing", () => {
  test("whatever comes of it: connected, refused, unreachable, a vault without its key, an error that nobody expected", async () => {
    const log = captureLog();
    const good = platform.answer;
    const { VAULT_KEYS = "", PLATFORM_TOKEN_URL = "" } = resetEnv();
    try {
      await comeBackWatched(() => undefined, true, log);
      await comeBackWatched(() => undefined, false, log);
      for (const [status, error] of [
        [400, "invalid_grant"],
        [401, "invalid_client"],
        [503, "server_error"],
      ] as const)
        await comeBackWatched(() => (platform.answer = ({ fields }) => ({ status, body: { error, echoed: fields.code } })), true, log);
      await comeBackWatched(() => (platform.answer = ({ fields }) => ({ body: `<html>${fields.code}</html>` })), true, log);
      await comeBackWatched(() => resetEnv({ PLATFORM_TOKEN_URL: "http://127.0.0.1:1" }), true, log);
      resetEnv({ PLATFORM_TOKEN_URL });
      platform.answer = good;
      await comeBackWatched(() => resetEnv({ VAULT_KEYS: "" }), true, log);
      resetEnv({ VAULT_KEYS });
      await comeBackWatched(() => pool().query("ALTER TABLE authorization_attempts RENAME TO elsewhere"), true, log);
      await pool().query("ALTER TABLE elsewhere RENAME TO authorization_attempts");
    } finally {
      log.stop();
    }
    expect(log.text()).toContain("unexpected error");
    expect(log.text()).toContain("secrets can't be encrypted");
  });

  test("HEAD answers without a word", async () => {
    const answer = HEAD();
    expect([answer.status, await answer.text(), answer.headers.get("referrer-policy")]).toEqual([204, "", "no-referrer"]);
  });
});
