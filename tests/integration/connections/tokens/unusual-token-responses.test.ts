import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { ConnectionId, WorkspaceId } from "#lib/contracts/api/ids";
import { pool } from "#lib/db/pool";
import { readConnection } from "#lib/flows/connections/connections";
import { REFRESH_ROUND_MS, refreshConnection, refreshDueConnections } from "#lib/flows/connections/refresh-connection";
import { makeAccount } from "#tests/support/account";
import { makeDue, storedTokens, useHostilePlatform } from "#tests/support/hostile-platform";
import { callApi } from "#tests/support/members";
import { arrive, beginAnew, connect } from "#tests/support/platform-connection";
import { ofEachKind } from "#tests/support/sample";

const { platform } = useHostilePlatform();
afterEach(() => void vi.useRealTimers());
// A slow machine would come to the time of an earlier test's connection.
beforeEach(() => pool().query("UPDATE connections SET next_refresh_at = now() + interval '1 day'"));

const GOOD = { access_token: "access-2", refresh_token: "refresh-2", expires_in: 600 };
const card = (workspaceId: WorkspaceId, id: ConnectionId) => readConnection(workspaceId, id, new Date());
const refreshes = () => platform.requests.filter(({ fields }) => fields.grant_type === "refresh_token").length;

const UNSTORABLE = [
  ["U+0000 in the scope", { scope: "documents:read\u0000 tasks:read" }],
  ["U+0000 in a list of scopes", { scopes: ["documents:read", "ta\u0000sks"] }],
  ["a lone surrogate in the scope", { scope: "documents:read \ud800" }],
  ["U+0000 in the account", { account: "Acme\u0000 GmbH" }],
  ["a lone surrogate in the account", { account: "Acme \udfff" }],
  ["U+0000 in the id of the integration", { integration_id: "int\u0000_1" }],
  ["U+0000 in all of them and more", { scope: "\u0000", account: "\u0000", integrationId: "\u0000", note: "\u0000" }],
] as const;

const byField = ([, fields]: (typeof UNSTORABLE)[number]) => Object.keys(fields)[0];

describe("text of the platform that the database can't store", () => {
  test.each(ofEachKind(UNSTORABLE, byField))("%s: the callback connects, and a renewal keeps the rotated token", async (_what, fields) => {
    platform.answer = () => ({ body: { ...GOOD, ...fields } });
    const { account, connectionId: id, state } = await beginAnew();
    const answer = await arrive({ code: "c", state }, { cookie: account.cookie });
    expect([answer.status, answer.headers.get("location")]).toEqual([303, `http://localhost:3000/connections/${id}?outcome=connected`]);
    platform.answer = () => ({ body: { ...GOOD, refresh_token: "refresh-3", ...fields } });
    await expect(refreshConnection(account.workspaceId, id)).resolves.toEqual({ outcome: "refreshed" });
    await expect(storedTokens(account.workspaceId, id)).resolves.toMatchObject({ refresh: "refresh-3" });
  });

  test.each([
    ["error", "\u0000"],
    ["error_description", "a\u0000b"],
    ["iss", "\u0000"],
    ["code", "\u0000"],
    ["state", "\u0000"],
    ["session_state", "\ud800"],
  ])("in the callback's own query (%s): it leads on, never 5xx", async (name, value) => {
    const { account, state } = await beginAnew();
    const query = { state, ...(name === "error" ? {} : { error: "access_denied" }), [name]: value };
    expect((await arrive(query, { cookie: account.cookie })).status).toBe(303);
  });

  test("in what Connect is asked with: 400 in words", async () => {
    const account = await makeAccount();
    for (const body of [{ name: "a\u0000b" }, { name: "a\ud800" }, { connectionId: "con_\u0000" }]) {
      expect((await callApi("POST", "v1/connections", account, { body })).status).toBe(400);
    }
  });
});

describe("tokens that can't be used", () => {
  test.each([{ token_type: 5 }, { access_token: "a\nb" }, { access_token: null }])(
    "a renewal with %j keeps the rotated refresh token, and the next one uses it",
    async (fields) => {
      const { actor, connectionId: id } = await connect();
      platform.answer = () => ({ body: { ...GOOD, ...fields } });
      await expect(refreshConnection(actor.workspaceId, id)).resolves.toEqual({ outcome: "delayed", code: "answer_malformed" });
      await expect(storedTokens(actor.workspaceId, id)).resolves.toMatchObject({ refresh: "refresh-2" });
      platform.answer = ({ fields: sent }) => {
        if (sent.refresh_token !== "refresh-2") return { status: 400, body: { error: "invalid_grant" } };
        return { body: { ...GOOD, access_token: "access-3", refresh_token: "refresh-3" } };
      };
      await expect(refreshConnection(actor.workspaceId, id)).resolves.toEqual({ outcome: "refreshed" });
      expect(await card(actor.workspaceId, id)).toMatchObject({ state: "connected", problem: null });
    },
  );
});

describe("Retry-After", () => {
  const inSeconds = async (id: ConnectionId) => {
    const { rows } = await pool().query<{ wait: number }>(
      "SELECT extract(epoch FROM next_refresh_at - now())::float8 AS wait FROM connections WHERE id = $1",
      [id],
    );
    return rows[0]?.wait ?? 0;
  };

  test.each([
    [429, "3600", 3600],
    [503, "120", 120],
    [503, new Date(Date.now() + 900_000).toUTCString(), 900],
    [429, "999999999", 86_400],
    [503, "soon", 5],
    [429, "-5", 5],
  ])("%i with %s is asked again after %i s", async (status, retryAfter, seconds) => {
    const { actor, connectionId: id } = await connect();
    platform.answer = () => ({ status, body: { error: "slow_down" }, headers: { "retry-after": retryAfter } });
    await expect(refreshConnection(actor.workspaceId, id)).resolves.toEqual({ outcome: "delayed", code: "platform_error" });
    expect(Math.abs((await inSeconds(id)) - seconds)).toBeLessThan(60);
  });

  test("nobody asks earlier, neither a person nor a program nor an event, and the card says until when", async () => {
    const { actor, connectionId: id } = await connect();
    platform.answer = () => ({ status: 429, body: "", headers: { "retry-after": "3600" } });
    await refreshConnection(actor.workspaceId, id);
    await makeDue(id);
    await refreshDueConnections();
    await expect(refreshConnection(actor.workspaceId, id, { askedAt: new Date() })).resolves.toEqual({
      outcome: "delayed",
      code: "platform_error",
    });
    expect(refreshes()).toBe(1);
    const { problem } = (await card(actor.workspaceId, id)) ?? {};
    expect(problem?.fix).toMatch(
      /^The platform asked Signalbox to wait until \d{4}-\d\d-\d\d \d\d:\d\d UTC\. Nothing to do: it retries then\.$/,
    );
    await pool().query("UPDATE connections SET retry_after_until = now() - interval '1 second' WHERE id = $1", [id]);
    platform.answer = () => ({ body: GOOD });
    await refreshDueConnections();
    expect(await card(actor.workspaceId, id)).toMatchObject({ state: "connected", problem: null });
  });
});

test.each([40, 20])("an access of %i s never lapses while a worker looks each round", { timeout: 120_000 }, async (seconds) => {
  platform.answer = () => ({ body: { access_token: "brief", refresh_token: "next", expires_in: seconds } });
  const { connectionId: id } = await connect();
  // The clock is moved by moving everything that is kept: a round goes by.
  const round = `interval '${REFRESH_ROUND_MS} milliseconds'`;
  for (let ms = 0; ms < 3 * seconds * 1000; ms += REFRESH_ROUND_MS) {
    const { rows } = await pool().query<{ lapsed: boolean }>(
      `UPDATE connections SET access_expires_at = access_expires_at - ${round}, next_refresh_at = next_refresh_at - ${round}
        WHERE id = $1 RETURNING access_expires_at <= now() AS lapsed`,
      [id],
    );
    expect(rows[0]?.lapsed).toBe(false);
    await refreshDueConnections();
  }
  expect(refreshes()).toBeGreaterThanOrEqual(3);
});
