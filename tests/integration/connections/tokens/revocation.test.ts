import { beforeEach, describe, expect, test } from "vitest";
import type { Actor } from "#lib/auth/actor";
import { resetEnv } from "#lib/config/env";
import type { ConnectionId, WorkspaceId } from "#lib/contracts/api/ids";
import { pool } from "#lib/db/pool";
import { disconnectConnection, disconnectSentence, readConnection } from "#lib/flows/connections/connections";
import { refreshConnection } from "#lib/flows/connections/refresh-connection";
import { revokeWaiting } from "#lib/flows/connections/tokens";
import { contextOf } from "#tests/support/context";
import { countTokens, useHostilePlatform } from "#tests/support/hostile-platform";
import { begin, beginAnew, comeBack, connect } from "#tests/support/platform-connection";
import { loseAnswerOfCommit, useStatements } from "#tests/support/statements";

const { platform } = useHostilePlatform();
useStatements();

/** The tokens that the platform was asked to revoke, in order. */
const revoked = () => platform.requests.filter(({ path }) => path === "/revoke").map(({ fields }) => fields.token);

async function timeline(workspaceId: WorkspaceId, id: ConnectionId): Promise<string[]> {
  const card = await readConnection(workspaceId, id, new Date());
  return (card?.history ?? []).flatMap(({ kind, detail }) => (/revoked$/.test(kind) ? [`${kind}: ${detail}`] : []));
}

type Fields = Record<string, unknown>;

/** Answers with these tokens; `during` happens while the platform works on it. */
function grant(fields: Fields, during: () => Promise<unknown> = async () => undefined) {
  platform.answer = async ({ path }) => {
    if (path === "/revoke") return { body: {} };
    await during();
    return { body: { access_token: "new-access", refresh_token: "new-refresh", expires_in: 600, ...fields } };
  };
}

async function reconnect(actor: Actor, id: ConnectionId) {
  const { state } = await begin(actor, { connectionId: id });
  return comeBack(actor, { code: "c", state });
}

beforeEach(async () => {
  await pool().query("DELETE FROM connections");
  await pool().query("DELETE FROM token_revocations");
  resetEnv({ PLATFORM_REVOKES: "grant" });
});

describe("disconnecting during a renewal", () => {
  test("revokes what was stored and what arrives later, and says that this is still to come", async () => {
    const { actor, connectionId: id } = await connect();
    let done: Awaited<ReturnType<typeof disconnectConnection>> | undefined;
    grant({}, async () => {
      done = await disconnectConnection(contextOf(actor), id);
    });
    await expect(refreshConnection(actor.workspaceId, id)).resolves.toEqual({ outcome: "superseded" });
    expect(done).toEqual({ outcome: "disconnected", erased: true, revocation: "pending" });
    expect(disconnectSentence(true, "pending")).not.toMatch(/^The tokens are erased here\. The platform confirmed/);
    expect(revoked()).toEqual(["rt", "new-refresh"]);
    expect(await timeline(actor.workspaceId, id)).toEqual([
      "revoked: tokens of a renewal that arrived too late",
      "revoked: the tokens that were stored",
    ]);
  });

  test("says so when the platform does not confirm for the late tokens", async () => {
    const { actor, connectionId: id } = await connect();
    platform.answer = async ({ path, fields }) => {
      if (path === "/revoke") return fields.token === "rt" ? { body: {} } : { status: 503, body: {} };
      await disconnectConnection(contextOf(actor), id);
      return { body: { access_token: "new-access", refresh_token: "new-refresh" } };
    };
    await refreshConnection(actor.workspaceId, id);
    expect((await timeline(actor.workspaceId, id))[0]).toBe(
      "not_revoked: tokens of a renewal that arrived too late: the platform did not confirm; Signalbox asks again",
    );
  });

  test("revokes a refresh token that came in an answer which is otherwise of no use", async () => {
    const { actor, connectionId: id } = await connect();
    grant({ token_type: "mac" }, () => disconnectConnection(contextOf(actor), id));
    await refreshConnection(actor.workspaceId, id);
    expect(revoked()).toEqual(["rt", "new-refresh"]);
  });
});

describe("a disconnection", () => {
  const hurry = () => pool().query("UPDATE token_revocations SET due_at = now() - interval '1 ms'");
  const stored = async () => (await pool().query("SELECT state, sealed, key_id FROM token_revocations")).rows;
  const onPlatform = async (workspaceId: WorkspaceId, id: ConnectionId) => (await readConnection(workspaceId, id, new Date()))?.revocation;

  test("of which nobody learnt that it was committed is revoked all the same, and the repeated one says so", async () => {
    const { actor, connectionId: id } = await connect();
    loseAnswerOfCommit(/DELETE FROM connection_tokens/);
    await expect(disconnectConnection(contextOf(actor), id)).rejects.toThrow(/terminated/);
    expect(revoked()).toEqual([]);
    const again = () => disconnectConnection(contextOf(actor), id);
    expect(await again()).toEqual({ outcome: "disconnected", erased: false, revocation: "pending" });
    expect(await onPlatform(actor.workspaceId, id)).toBe("waiting");
    await hurry();
    expect(await revokeWaiting()).toBe(1);
    expect(revoked()).toEqual(["rt"]);
    expect(await onPlatform(actor.workspaceId, id)).toBe("revoked");
    expect(await again()).toEqual({ outcome: "disconnected", erased: false, revocation: "revoked" });
    expect(await stored()).toEqual([{ state: "revoked", sealed: null, key_id: null }]);
    expect(await revokeWaiting()).toBe(0);
  });

  test("that the platform does not confirm is asked for again, ever more rarely, and given up after a week", async () => {
    const { actor, connectionId: id } = await connect();
    platform.answer = async () => ({ status: 503, body: {} });
    const done = await disconnectConnection(contextOf(actor), id);
    expect(done).toEqual({ outcome: "disconnected", erased: true, revocation: "pending" });
    const waits: number[] = [];
    for (let n = 0; n < 5; n += 1) {
      const { rows } = await pool().query<{ s: number }>(
        "SELECT extract(epoch FROM due_at - clock_timestamp())::float8 AS s FROM token_revocations",
      );
      waits.push(rows[0]?.s ?? 0);
      await hurry();
      await revokeWaiting();
    }
    expect(waits).toEqual([...waits].sort((a, b) => a - b));
    expect(waits[0]).toBeLessThan(11);
    expect(waits[4]).toBeGreaterThan(5 * 3600);
    expect(revoked()).toHaveLength(6);
    await pool().query("UPDATE token_revocations SET created_at = created_at - interval '7 days'");
    await hurry();
    await revokeWaiting();
    expect(await stored()).toEqual([{ state: "failed", sealed: null, key_id: null }]);
    expect(await onPlatform(actor.workspaceId, id)).toBe("failed");
    expect(await timeline(actor.workspaceId, id)).toEqual([
      "not_revoked: the tokens that were stored: the platform did not confirm",
      "not_revoked: the tokens that were stored: the platform did not confirm; Signalbox asks again",
    ]);
  });

  test("is asked for later only while it ends no access that is in use", async () => {
    resetEnv({ PLATFORM_REVOKES: "account" });
    const { actor, connectionId: id } = await connect();
    loseAnswerOfCommit(/DELETE FROM connection_tokens/);
    await disconnectConnection(contextOf(actor), id).catch(() => undefined);
    await reconnect(actor, id);
    await hurry();
    await revokeWaiting();
    expect(revoked()).toEqual([]);
    expect((await timeline(actor.workspaceId, id))[0]).toMatch(/^not_revoked: the tokens that were stored: revoking it could end/);
  });

  test("that the platform does not confirm is not asked for again beside another connection of the account, and says so at once", async () => {
    resetEnv({ PLATFORM_REVOKES: "account" });
    const [{ actor, connectionId: id }, other] = [await connect(), await connect()];
    await pool().query("UPDATE connections SET account = 'Acme' WHERE id = ANY($1)", [[id, other.connectionId]]);
    platform.answer = async () => ({ status: 503, body: {} });
    const done = await disconnectConnection(contextOf(actor), id);
    expect(done).toEqual({ outcome: "disconnected", erased: true, revocation: "failed" });
    expect((await timeline(actor.workspaceId, id))[0]).toMatch(/: the platform did not confirm, and asking again could end the access/);
    expect(await stored()).toEqual([{ state: "failed", sealed: null, key_id: null }]);
    await hurry();
    expect([await revokeWaiting(), revoked()]).toEqual([0, ["rt"]]);
  });

  test("a permission of which nobody learnt that it was stored: what it replaced is revoked all the same", async () => {
    const { actor, connectionId: id } = await connect();
    grant({});
    loseAnswerOfCommit(/INSERT INTO "public"."connection_tokens"/);
    await expect(reconnect(actor, id)).resolves.toMatchObject({ outcome: "connected" });
    await hurry();
    await revokeWaiting();
    expect(revoked()).toEqual(["rt"]);
  });
});

describe("a code whose tokens are not kept", () => {
  async function exchange(fields: Fields, during?: (id: ConnectionId) => Promise<unknown>) {
    const { actor, connectionId, state } = await beginAnew();
    grant(fields, async () => during?.(connectionId));
    const result = await comeBack(actor, { code: "c", state });
    return { actor, connectionId, result };
  }

  test("is revoked when the connection was removed during the exchange", async () => {
    const { actor, connectionId, state } = await beginAnew();
    grant({}, () => disconnectConnection(contextOf(actor), connectionId));
    await expect(comeBack(actor, { code: "c", state })).resolves.toEqual({ outcome: "overtaken", connectionId: null });
    expect(revoked()).toEqual(["new-refresh"]);
  });

  test("is revoked when a connection that was being made again was disconnected during the exchange", async () => {
    const { actor, connectionId: id } = await connect();
    grant({}, () => disconnectConnection(contextOf(actor), id));
    await expect(reconnect(actor, id)).resolves.toEqual({ outcome: "overtaken", connectionId: id });
    expect(revoked()).toEqual(["rt", "new-refresh"]);
    expect(await readConnection(actor.workspaceId, id, new Date())).toMatchObject({ state: "disconnected", hasRefreshToken: false });
  });

  test.each([
    ["an unknown type", { token_type: "mac" }, "new-refresh", "unknown_token_type"],
    ["a type that is no text", { token_type: 5 }, "new-refresh", "unknown_token_type"],
    ["no access token", { access_token: null }, "new-refresh", null],
    [
      "an access token with a line break and no refresh token",
      { access_token: "a\nb", refresh_token: null },
      "a\nb",
      "unusable_access_token",
    ],
    ["a refresh token with a line break", { refresh_token: "r\nr" }, "r\nr", "unusable_refresh_token"],
    ["a refresh token with a lone surrogate", { refresh_token: "r\ud800" }, "r\ufffd", "unusable_refresh_token"],
  ])("is revoked when the answer holds %s, which the card says in words", async (_what, fields, token, raw) => {
    const { actor, connectionId, result } = await exchange(fields);
    expect(result).toEqual({ outcome: "answer_malformed", connectionId });
    expect(revoked()).toEqual([token]);
    expect(await timeline(actor.workspaceId, connectionId)).toEqual(["revoked: the tokens of an unusable response"]);
    const card = await readConnection(actor.workspaceId, connectionId, new Date());
    expect(card).toMatchObject({ state: "pending", hasRefreshToken: false, problem: { raw } });
    if (raw) expect(card?.problem?.what).toMatch(/^The platform issued an? .*token/);
  });

  test("is revoked when the vault can't seal it", async () => {
    const { VAULT_KEYS = "" } = resetEnv();
    const { result } = await exchange({}, async () => resetEnv({ VAULT_KEYS: "" }));
    resetEnv({ VAULT_KEYS });
    expect(result).toMatchObject({ outcome: "vault_key_lost" });
    expect([await countTokens(), revoked()]).toEqual([0, ["new-refresh"]]);
  });

  test("of two attempts for one connection the one that is stored first stays, and the other's tokens are revoked", async () => {
    const { actor, connectionId: id } = await connect();
    const first = await begin(actor, { connectionId: id });
    grant({}, async () => {
      grant({ access_token: "other", refresh_token: "other-refresh" });
      await reconnect(actor, id);
    });
    await expect(comeBack(actor, { code: "c", state: first.state })).resolves.toMatchObject({ outcome: "overtaken" });
    expect(revoked()).toEqual(["rt", "new-refresh"]);
  });
});

describe("a permission that replaces another", () => {
  test("revokes the one before where the platform ends one grant at a time", async () => {
    const { actor, connectionId: id } = await connect();
    grant({});
    await expect(reconnect(actor, id)).resolves.toMatchObject({ outcome: "connected" });
    expect(revoked()).toEqual(["rt"]);
    expect(await timeline(actor.workspaceId, id)).toEqual(["revoked: the previous tokens, replaced by new ones"]);
  });

  test.each([
    ["the same account", { account: "Acme" }, { account: "Acme" }, []],
    ["an account that was not named", {}, {}, []],
    ["another account", { account: "Acme" }, { account: "Globex" }, ["old-refresh"]],
  ])("where a revocation may end all access of the account, and it was %s: %j then %j", async (_what, before, after, expected) => {
    resetEnv({ PLATFORM_REVOKES: "" });
    const { actor, connectionId: id } = await connect();
    grant({ access_token: "old", refresh_token: "old-refresh", ...before });
    await reconnect(actor, id);
    platform.requests.length = 0;
    grant(after);
    await reconnect(actor, id);
    expect(revoked()).toEqual(expected);
    if (expected.length === 0)
      expect((await timeline(actor.workspaceId, id))[0]).toMatch(
        /^not_revoked: .*could end the access that is in use \(PLATFORM_REVOKES\)$/,
      );
  });

  test("ends a renewal of the one before that is still under way: what it brings is revoked", async () => {
    const { actor, connectionId: id } = await connect();
    grant({ access_token: "late", refresh_token: "late-refresh" }, async () => {
      grant({});
      await reconnect(actor, id);
    });
    await expect(refreshConnection(actor.workspaceId, id)).resolves.toEqual({ outcome: "superseded" });
    expect(revoked()).toEqual(["rt", "late-refresh"]);
  });

  test("and tokens that a newer renewal of the same permission has overtaken are not revoked: that could end it", async () => {
    const { actor, connectionId: id } = await connect();
    grant({ access_token: "late", refresh_token: "late-refresh" }, async () => {
      grant({});
      await pool().query("UPDATE connections SET claimed_until = NULL WHERE id = $1", [id]);
      await refreshConnection(actor.workspaceId, id);
    });
    await expect(refreshConnection(actor.workspaceId, id)).resolves.toEqual({ outcome: "superseded" });
    expect(revoked()).toEqual([]);
  });
});
