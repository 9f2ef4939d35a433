import { beforeEach, expect, test, vi } from "vitest";
import type { Actor } from "#lib/auth/actor";
import { resetEnv } from "#lib/config/env";
import type { ConnectionId, WorkspaceId } from "#lib/contracts/api/ids";
import { pool } from "#lib/db/pool";
import { disconnectConnection, readConnection } from "#lib/flows/connections/connections";
import { refreshAndWait, refreshConnection, refreshDueConnections } from "#lib/flows/connections/refresh-connection";
import { systemClock } from "#lib/time/clock";
import { contextOf } from "#tests/support/context";
import { makeDue, storedTokens, useHostilePlatform } from "#tests/support/hostile-platform";
import { beginWith, type OtherTransaction, untilBlocked } from "#tests/support/other-session";
import { begin, comeBack, connect } from "#tests/support/platform-connection";

const { platform } = useHostilePlatform();

beforeEach(() => {
  platform.answer = rotating();
});

/** A platform that rotates refresh tokens and refuses one that was used before. */
function rotating() {
  let current = "";
  let issued = 0;
  return ({ fields }: { fields: Record<string, string> }) => {
    if (fields.grant_type === "refresh_token" && fields.refresh_token !== current) return { status: 400, body: { error: "invalid_grant" } };
    issued++;
    current = `refresh-${issued}`;
    return { body: { access_token: `access-${issued}`, refresh_token: current, expires_in: 600 } };
  };
}

const refusal = (status: number, error: string) => () => ({ status, body: { error } });
const card = (workspaceId: WorkspaceId, id: ConnectionId) => readConnection(workspaceId, id, new Date());

/** As if the process with the claim had died. */
const lapseClaim = (id: ConnectionId) =>
  pool().query("UPDATE connections SET claimed_until = now() - interval '1 second' WHERE id = $1", [id]);

test("a renewal keeps the rotated refresh token and says so on the card", async () => {
  const { actor, connectionId: id } = await connect();
  await expect(refreshConnection(actor.workspaceId, id)).resolves.toEqual({ outcome: "refreshed" });
  await expect(storedTokens(actor.workspaceId, id)).resolves.toEqual({ access: "access-2", refresh: "refresh-2" });
  expect(await card(actor.workspaceId, id)).toMatchObject({ state: "connected", history: [{ kind: "refreshed" }, { kind: "connected" }] });
});

test("tokens that can't be stored within ten seconds are said to be on their way, and nobody uses the spent ones until they are", {
  tags: ["deep"],
}, async () => {
  const { actor, connectionId: id } = await connect();
  let held: OtherTransaction | undefined;
  platform.answer = async () => {
    held = await beginWith("SELECT 1 FROM connections WHERE id = $1 FOR UPDATE", [id]);
    return { body: { access_token: "access-2", refresh_token: "refresh-2", expires_in: 600 } };
  };
  await expect(refreshConnection(actor.workspaceId, id)).rejects.toThrow("could not be stored yet");
  const { rows } = await pool().query("SELECT claimed_until > clock_timestamp() AS claimed FROM connections WHERE id = $1", [id]);
  expect(rows).toEqual([{ claimed: true }]);
  await held?.end();
  await expect.poll(() => storedTokens(actor.workspaceId, id)).toEqual({ access: "access-2", refresh: "refresh-2" });
});

test("an answer without a refresh token leaves the old one in force", async () => {
  const { actor, connectionId: id } = await connect();
  platform.answer = () => ({ body: { access_token: "only-access", expires_in: 600 } });
  await refreshConnection(actor.workspaceId, id);
  await expect(storedTokens(actor.workspaceId, id)).resolves.toEqual({ access: "only-access", refresh: "refresh-1" });
});

test("of ten that want to renew at once one talks to the platform", async () => {
  const { actor, connectionId: id } = await connect();
  platform.requests.length = 0;
  // The platform answers once the nine others have been told: however slow the machine is, all ten overlap.
  let told = 0;
  platform.answer = async () => {
    await vi.waitFor(() => expect(told).toBe(9), 10_000);
    return { body: { access_token: "access-2", refresh_token: "refresh-2", expires_in: 600 } };
  };
  const outcomes = await Promise.all(
    Array.from({ length: 10 }, async () => {
      const { outcome } = await refreshConnection(actor.workspaceId, id);
      told += 1;
      return outcome;
    }),
  );
  expect(platform.requests).toHaveLength(1);
  expect(outcomes.sort()).toEqual([...Array(9).fill("in_progress"), "refreshed"]);
  expect(await card(actor.workspaceId, id)).toMatchObject({ state: "connected", problem: null });
});

test("workers that look at the same moment renew a due connection once", async () => {
  const { actor, connectionId: id } = await connect();
  await makeDue(id);
  platform.requests.length = 0;
  await Promise.all([refreshDueConnections(), refreshDueConnections(), refreshDueConnections()]);
  expect(platform.requests).toHaveLength(1);
  await refreshDueConnections();
  expect(platform.requests).toHaveLength(1);
  expect(await card(actor.workspaceId, id)).toMatchObject({ state: "connected" });
});

test("a refusal of the grant asks for a new permission; the next one heals it", async () => {
  const { actor, connectionId: id } = await connect();
  platform.answer = refusal(400, "invalid_grant");
  await expect(refreshConnection(actor.workspaceId, id)).resolves.toEqual({ outcome: "lost", code: "token_expired" });
  expect(await card(actor.workspaceId, id)).toMatchObject({
    state: "needs_reauthorization",
    problem: {
      code: "token_expired",
      what: "Access was revoked, or the refresh token is no longer valid.",
      raw: "invalid_grant",
    },
  });
  await expect(refreshConnection(actor.workspaceId, id)).resolves.toEqual({ outcome: "not_renewable" });
  platform.answer = rotating();
  const { state } = await begin(actor, { connectionId: id });
  await comeBack(actor, { code: "c", state });
  expect(await card(actor.workspaceId, id)).toMatchObject({ state: "connected", problem: null });
});

test.each([
  [503, "server_error", "platform_error"],
  [401, "invalid_client", "client_rejected"],
])("a %i keeps the tokens, waits and tries again", async (status, error, code) => {
  const { actor, connectionId: id } = await connect();
  platform.answer = refusal(status, error);
  await expect(refreshConnection(actor.workspaceId, id)).resolves.toEqual({ outcome: "delayed", code });
  await expect(storedTokens(actor.workspaceId, id)).resolves.toMatchObject({ refresh: "refresh-1" });
  const shown = await card(actor.workspaceId, id);
  expect(shown).toMatchObject({ state: "retrying", problem: { code, raw: error } });
  expect(Date.parse(shown?.nextRefreshAt ?? "") - Date.now()).toBeLessThan(6000);
  platform.answer = () => ({ body: { access_token: "well-again", expires_in: 600 } });
  await makeDue(id);
  await refreshDueConnections();
  expect(await card(actor.workspaceId, id)).toMatchObject({ state: "connected", problem: null });
});

/** The platform keeps back its answers from here on. @returns lets them go */
function holdBack(answer: { status?: number; body: object }): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  platform.answer = () => promise.then(() => answer);
  return resolve;
}

/** Waits until the platform was asked so often since the requests were emptied. */
const untilAsked = (times: number) => vi.waitFor(() => expect(platform.requests).toHaveLength(times), 10_000);

/** Begins a renewal that is asked for, is not answered, and has lost its claim. @returns it, and what lets its answer go */
async function stuckRenewal(answer: { status?: number; body: object }) {
  const { actor, connectionId: id } = await connect();
  platform.requests.length = 0;
  const letGo = holdBack(answer);
  const stuck = refreshConnection(actor.workspaceId, id);
  await untilAsked(1);
  await lapseClaim(id);
  return { actor, id, stuck, letGo };
}

test("a process that was stuck loses to the newer grant", async () => {
  const { actor, id, stuck, letGo } = await stuckRenewal({ body: { access_token: "late", refresh_token: "late-refresh" } });
  platform.answer = () => ({ body: { access_token: "newer", refresh_token: "newer-refresh", expires_in: 600 } });
  await expect(refreshConnection(actor.workspaceId, id)).resolves.toEqual({ outcome: "refreshed" });
  letGo();
  await expect(stuck).resolves.toEqual({ outcome: "superseded" });
  await expect(storedTokens(actor.workspaceId, id)).resolves.toEqual({ access: "newer", refresh: "newer-refresh" });
});

test("a process that was stuck still gets its tokens in when nobody has newer ones, as rotation demands", async () => {
  const late = { access_token: "late", refresh_token: "late-refresh", expires_in: 600 };
  const { actor, id, stuck, letGo } = await stuckRenewal({ body: late });
  platform.answer = refusal(400, "invalid_grant");
  await expect(refreshConnection(actor.workspaceId, id)).resolves.toMatchObject({ outcome: "lost" });
  letGo();
  await expect(stuck).resolves.toEqual({ outcome: "refreshed" });
  await expect(storedTokens(actor.workspaceId, id)).resolves.toEqual({ access: "late", refresh: "late-refresh" });
  expect(await card(actor.workspaceId, id)).toMatchObject({ state: "connected", problem: null });
});

test("a refusal of tokens that are no longer the newest harms nothing", async () => {
  const { actor, id, stuck, letGo } = await stuckRenewal({ status: 400, body: { error: "invalid_grant" } });
  platform.answer = () => ({ body: { access_token: "newer", expires_in: 600 } });
  await refreshConnection(actor.workspaceId, id);
  letGo();
  await expect(stuck).resolves.toEqual({ outcome: "superseded" });
  expect(await card(actor.workspaceId, id)).toMatchObject({ state: "connected", problem: null });
});

test("the holder of the newest claim gives way too, when a stuck process brings in the rotated tokens first", async () => {
  const rotated = { access_token: "rotated", refresh_token: "rotated-refresh", expires_in: 600 };
  const { actor, id, stuck, letGo } = await stuckRenewal({ body: rotated });
  const letRefusalGo = holdBack({ status: 400, body: { error: "invalid_grant" } });
  const newest = refreshConnection(actor.workspaceId, id);
  await untilAsked(2);
  letGo();
  await expect(stuck).resolves.toEqual({ outcome: "refreshed" });
  letRefusalGo();
  await expect(newest).resolves.toEqual({ outcome: "superseded" });
  expect(await card(actor.workspaceId, id)).toMatchObject({ state: "connected", problem: null });
});

test("without a refresh token the card warns, then tells that the access has ended", async () => {
  platform.answer = () => ({ body: { access_token: "a", expires_in: 600 } });
  const { actor, connectionId: id } = await connect();
  await makeDue(id);
  await refreshDueConnections();
  expect(await card(actor.workspaceId, id)).toMatchObject({ state: "expiring" });
  await pool().query("UPDATE connections SET access_expires_at = now() - interval '1 second' WHERE id = $1", [id]);
  expect(await card(actor.workspaceId, id)).toMatchObject({ state: "needs_reauthorization", problem: { code: "token_expired" } });
  await makeDue(id);
  await refreshDueConnections();
  const { rows } = await pool().query("SELECT state, problem_code FROM connections WHERE id = $1", [id]);
  expect(rows).toEqual([{ state: "needs_reauthorization", problem_code: "token_expired" }]);
});

test("a lost vault key asks for a new permission, and heals by itself when the key is back", async () => {
  const { actor, connectionId: id } = await connect();
  const { VAULT_KEYS = "" } = resetEnv();
  resetEnv({ VAULT_KEYS: `other:${Buffer.alloc(32, 1).toString("base64")}` });
  await expect(refreshConnection(actor.workspaceId, id)).resolves.toEqual({ outcome: "lost", code: "vault_key_lost" });
  expect(await card(actor.workspaceId, id)).toMatchObject({
    state: "needs_reauthorization",
    problem: { code: "vault_key_lost", raw: "key_unknown" },
    history: [{ kind: "key_lost" }, { kind: "connected" }],
  });
  resetEnv({ VAULT_KEYS });
  await makeDue(id);
  await refreshDueConnections();
  expect(await card(actor.workspaceId, id)).toMatchObject({
    state: "connected",
    problem: null,
    history: [{ kind: "refreshed" }, { kind: "key_found" }, { kind: "key_lost" }, { kind: "connected" }],
  });
});

const HOUR_MS = 3_600_000;

/** The clock of a machine on which it is wrong by so much. */
const clockOff = (byMs: number) => ({ ...systemClock, now: () => systemClock.now() + byMs });

const refreshes = () => platform.requests.filter(({ fields }) => fields.grant_type === "refresh_token").length;

test.each([HOUR_MS, -HOUR_MS])("a machine whose clock is %i ms off does not take over a claim that another holds", async (off) => {
  const { actor, connectionId: id } = await connect();
  const good = platform.answer;
  let other: unknown;
  platform.answer = async (request, count) => {
    if (refreshes() === 1) other = await refreshConnection(actor.workspaceId, id, { clock: clockOff(off) });
    return good(request, count);
  };
  await expect(refreshConnection(actor.workspaceId, id)).resolves.toEqual({ outcome: "refreshed" });
  expect(other).toEqual({ outcome: "in_progress" });
  expect(refreshes()).toBe(1);
});

test("a claim that a machine with a late clock has left lapses all the same", async () => {
  const { actor, connectionId: id } = await connect();
  platform.answer = () => ({ body: "", ending: "cut" });
  await refreshConnection(actor.workspaceId, id, { clock: clockOff(HOUR_MS) });
  await pool().query("UPDATE connections SET version = version + 1, claimed_until = now() - interval '1 second' WHERE id = $1", [id]);
  platform.answer = () => ({ body: { access_token: "a", refresh_token: "r", expires_in: 600 } });
  await expect(refreshConnection(actor.workspaceId, id)).resolves.toEqual({ outcome: "refreshed" });
});

test.each([2 * HOUR_MS, -2 * HOUR_MS])("what is due is renewed by a machine whose clock is %i ms off, and once", async (off) => {
  const { connectionId: id } = await connect();
  await makeDue(id);
  await refreshDueConnections(undefined, clockOff(off));
  expect(refreshes()).toBe(1);
  await refreshDueConnections(undefined, clockOff(off));
  expect(refreshes()).toBe(1);
  const { rows } = await pool().query<{ left: number; next: number }>(
    `SELECT extract(epoch FROM access_expires_at - now())::float8 AS left, extract(epoch FROM next_refresh_at - now())::float8 AS next
       FROM connections WHERE id = $1`,
    [id],
  );
  expect(rows[0]?.left).toBeGreaterThan(560);
  expect(rows[0]?.left).toBeLessThanOrEqual(600);
  expect(rows[0]?.next).toBeLessThanOrEqual(480);
});

test("who asks now gets a renewal, also when a machine with an early clock renewed a minute ago", async () => {
  const { actor, connectionId: id } = await connect();
  await refreshConnection(actor.workspaceId, id, { clock: clockOff(HOUR_MS) });
  await pool().query("UPDATE connections SET last_refresh_at = last_refresh_at - interval '1 minute' WHERE id = $1", [id]);
  await expect(refreshConnection(actor.workspaceId, id, { askedAt: new Date() })).resolves.toEqual({ outcome: "refreshed" });
});

test("who waits for a lock while another renews has their answer: the platform is asked once", async () => {
  const { actor, connectionId: id } = await connect();
  const before = refreshes();
  const renewing = await beginWith("SELECT 1 FROM connections WHERE id = $1 FOR UPDATE", [id]);
  const waiting = refreshAndWait(actor.workspaceId, id, new Date());
  await untilBlocked("%UPDATE connections SET version = version + 1%");
  await renewing.query("UPDATE connections SET version = version + 1, last_refresh_at = clock_timestamp() WHERE id = $1", [id]);
  await renewing.end();
  await expect(waiting).resolves.toEqual({ outcome: "superseded" });
  expect(refreshes() - before).toBe(0);
});

test("a claim that lapsed between reading the tokens and asking is not asked with: another process uses that token", async () => {
  const { actor, connectionId: id } = await connect();
  const before = refreshes();
  const stopped = await beginWith("LOCK TABLE connection_tokens IN ACCESS EXCLUSIVE MODE");
  const resumed = refreshConnection(actor.workspaceId, id);
  await untilBlocked('%FROM "public"."connection_tokens"%');
  // The lease has lapsed, and another process has the claim and asks with the tokens that are still there.
  await stopped.query(
    "UPDATE connections SET version = version + 1, claimed_until = clock_timestamp() + interval '2 minutes' WHERE id = $1",
    [id],
  );
  await stopped.end();
  await expect(resumed).resolves.toEqual({ outcome: "in_progress" });
  expect(refreshes() - before).toBe(0);
});

/** All that is stored of a connection. */
async function storedOf(id: ConnectionId): Promise<unknown> {
  const { rows } = await pool().query(
    `SELECT to_jsonb(c) AS connection,
       (SELECT jsonb_agg(to_jsonb(t)) FROM connection_tokens t WHERE t.connection_id = c.id) AS tokens,
       (SELECT jsonb_agg(to_jsonb(h) ORDER BY h.id) FROM connection_history h WHERE h.connection_id = c.id) AS history
     FROM connections c WHERE c.id = $1`,
    [id],
  );
  return rows[0];
}

const granted = () => ({ body: { access_token: "a", refresh_token: "r", expires_in: 600 } });
type Step = (actor: Actor, id: ConnectionId) => Promise<{ outcome: string }>;
const renew: Step = ({ workspaceId }, id) => refreshConnection(workspaceId, id);

/** Connects again; the platform sends the browser back with this. */
const reconnect =
  (answer: Record<string, string>): Step =>
  async (actor, id) => {
    const { state } = await begin(actor, { connectionId: id });
    return comeBack(actor, { ...answer, state });
  };

// Nothing but its ID tells a connection from its neighbour: at one of the three steps ahead their versions are the same.
test.each<[string, Step, typeof platform.answer]>([
  ["refreshed", renew, granted],
  ["delayed", renew, refusal(503, "server_error")],
  ["lost", renew, refusal(400, "invalid_grant")],
  ["connected", reconnect({ code: "c" }), granted],
  ["access_denied", reconnect({ error: "access_denied" }), granted],
  ["disconnected", (actor, id) => disconnectConnection(contextOf(actor), id), granted],
])("a connection that is %s leaves another one of its workspace as it was", async (outcome, step, answer) => {
  for (const ahead of [0, 1, 2]) {
    platform.answer = granted;
    const { actor, connectionId } = await connect();
    const { connectionId: neighbour, state } = await begin(actor, { name: "Neighbour" });
    expect((await comeBack(actor, { code: "b", state })).outcome).toBe("connected");
    await pool().query("UPDATE connections SET version = version + $2 WHERE id = $1", [neighbour, ahead]);
    const before = await storedOf(neighbour);
    platform.answer = answer;
    expect((await step(actor, connectionId)).outcome).toBe(outcome);
    expect(await storedOf(neighbour)).toEqual(before);
  }
});
