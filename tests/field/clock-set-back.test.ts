import { expect, it } from "vitest";
import { beat } from "#lib/background/loops";
import { putTimesRight } from "#lib/db/clock-set-back";
import { pool } from "#lib/db/pool";
import { watchAlerts } from "#lib/flows/alerts/watch-alerts";
import { refreshConnection, refreshDueConnections } from "#lib/flows/connections/refresh-connection";
import { createReceiver } from "#lib/flows/ingest/receiver";
import { readReadiness } from "#lib/flows/installation/read-readiness";
import { detectMissingEvents } from "#lib/flows/missing-events/detect-missing-events";
import { countAliveWorkers, findLastHeartbeat } from "#lib/processing/heartbeat-store";
import { buildMissingScenario } from "#lib/sandbox/scenarios";
import { alertsOf } from "#tests/support/alerts/alerts";
import { useDatabaseClock } from "#tests/support/database-clock";
import { useHostilePlatform } from "#tests/support/hostile-platform";
import { drainInbox } from "#tests/support/log-writer";
import { connect } from "#tests/support/platform-connection";
import { receiveUntilKept } from "#tests/support/receive-until-kept";
import { makeWorkspace, sign } from "#tests/support/webhooks";

// Tried here: the database's clock was a day ahead for 20 s, and right again.

const { platform } = useHostilePlatform();
const { setAhead } = useDatabaseClock();

const refreshes = () => platform.requests.filter(({ fields }) => fields.grant_type === "refresh_token").length;
const renew = (actor: { workspaceId: Parameters<typeof refreshConnection>[0] }, id: Parameters<typeof refreshConnection>[1]) =>
  refreshConnection(actor.workspaceId, id, { askedAt: new Date() });

it("a connection that was renewed meanwhile is renewed when somebody asks, and by itself", async () => {
  const { actor, connectionId } = await connect();
  await beat();
  await setAhead("1 day");
  await beat();
  expect(await renew(actor, connectionId)).toEqual({ outcome: "refreshed" });
  await setAhead("0");
  expect(await renew(actor, connectionId)).toEqual({ outcome: "refreshed" });
  await setAhead("1 day");
  expect(await renew(actor, connectionId)).toEqual({ outcome: "refreshed" });
  await setAhead("0");
  await beat();
  const { rows } = await pool().query<{ next: number; last: number; ends: number }>(
    `SELECT extract(epoch FROM access_expires_at - now())::float8 AS ends, extract(epoch FROM next_refresh_at - now())::float8 AS next, extract(epoch FROM last_refresh_at - now())::float8 AS last
       FROM connections WHERE id = $1`,
    [connectionId],
  );
  expect(rows[0]?.next).toBeLessThan(600);
  expect(rows[0]?.ends).toBeLessThanOrEqual(3601);
  expect(rows[0]?.last).toBeLessThan(1);
  await pool().query("UPDATE connections SET next_refresh_at = next_refresh_at - interval '10 minutes'");
  await refreshDueConnections();
  expect(refreshes()).toBe(4);
});

it("a worker that works is not missed when the clock jumps: no alert, and readiness stays", async () => {
  const { workspaceId } = await makeWorkspace();
  const missed = async () => {
    await watchAlerts({ slow: false });
    expect((await readReadiness(createReceiver().health)).worker).toMatchObject({ ok: true });
    expect((await alertsOf(workspaceId)).filter(({ rule }) => rule === "no_worker")).toEqual([]);
  };
  await beat();
  await missed();
  await setAhead("1 day");
  await missed();
  await beat();
  await missed();
  await setAhead("0");
  await missed();
  await beat();
  await missed();
});

it("a worker that died meanwhile is missed after 20 s, not a day later", async () => {
  await setAhead("1 day");
  await beat();
  await setAhead("0");
  let elapsed = performance.now();
  await findLastHeartbeat({ elapsed: () => elapsed });
  elapsed += 21_000;
  expect((await findLastHeartbeat({ elapsed: () => elapsed }))?.silentMs).toBeGreaterThan(20_000);
});

it("a missing event opens neither too early nor a day too late", async () => {
  const { workspaceId, source } = await makeWorkspace();
  for (const { envelope } of buildMissingScenario("task_never_created", { seed: 1, now: Date.now() })) {
    const body = JSON.stringify(envelope);
    await receiveUntilKept(createReceiver(), { source, headers: { "x-webhook-signature": sign(body) }, body });
  }
  await drainInbox();
  const states = async () =>
    (
      await pool().query<{ state: string; due: number }>(
        "SELECT state, extract(epoch FROM due_at - now())::float8 AS due FROM missing_events WHERE workspace_id = $1",
        [workspaceId],
      )
    ).rows;
  await setAhead("1 day");
  await detectMissingEvents();
  await detectMissingEvents();
  expect((await states()).map(({ state }) => state)).toEqual(["waiting"]);
  await setAhead("0");
  await detectMissingEvents();
  const [waiting] = await states();
  expect(waiting?.state).toBe("waiting");
  expect(waiting?.due).toBeLessThan(600);
});

it("a missing event, which waits by the earlier of two clocks, is not brought forward", async () => {
  const { workspaceId } = await makeWorkspace();
  await beat();
  await setAhead("90 seconds");
  await beat();
  await pool().query(
    `INSERT INTO missing_events (workspace_id, resource_kind, resource_id, rule, id, state, evidence, detail, since, due_at)
     VALUES ($1, 'task', 'task_1', 'task_never_created', 'fnd_waits', 'waiting', '{}', '', pg_catalog.now(), pg_catalog.now() + interval '10 minutes')`,
    [workspaceId],
  );
  await setAhead("0");
  await beat();
  expect(await secondsTo("due_at", "missing_events WHERE id = 'fnd_waits'")).toBeGreaterThan(590);
});

it("an operation whose process died meanwhile is taken over after a minute, and what waits to be sent waits no longer than it would have", async () => {
  const { workspaceId } = await makeWorkspace();
  await setAhead("1 day");
  await beat();
  await pool().query(
    "INSERT INTO operations (id, workspace_id, state, runner, beat_at) VALUES ('op_1', $1, 'running', 'who died', now())",
    [workspaceId],
  );
  await pool().query(
    `INSERT INTO token_revocations (id, workspace_id, connection_id, what, state, due_at)
     VALUES ('rev_1', $1, 'con_1', 'a token', 'waiting', now() + interval '10 minutes')`,
    [workspaceId],
  );
  await setAhead("0");
  await beat();
  const { rows } = await pool().query<{ beat: number; due: number }>(
    `SELECT extract(epoch FROM beat_at - now())::float8 AS beat, extract(epoch FROM due_at - now())::float8 AS due
       FROM operations o, token_revocations t WHERE o.id = 'op_1' AND t.workspace_id = o.workspace_id`,
  );
  expect(rows[0]?.beat).toBeLessThan(1);
  expect(rows[0]?.due).toBeLessThan(601);
});

/** Seconds from now. */
const secondsTo = async (time: string, table: string) =>
  (await pool().query<{ seconds: number }>(`SELECT extract(epoch FROM ${time} - clock_timestamp())::float8 AS seconds FROM ${table}`))
    .rows[0]?.seconds;

async function awaitRevocation(interval: string): Promise<void> {
  const { workspaceId } = await makeWorkspace();
  await pool().query("DELETE FROM token_revocations");
  await pool().query(
    `INSERT INTO token_revocations (id, workspace_id, connection_id, what, state, due_at)
     VALUES ('rev_1', $1, 'con_1', 'a token', 'waiting', now() + $2::interval)`,
    [workspaceId, interval],
  );
}

it("workers that notice at once bring what waits forward once", async () => {
  await setAhead("1 day");
  await beat();
  await awaitRevocation("3 days");
  await setAhead("0");
  await Promise.all(Array.from({ length: 4 }, () => putTimesRight()));
  await beat();
  expect(((await secondsTo("due_at", "token_revocations")) ?? 0) / 3600).toBeCloseTo(72, 1);
});

it("while times can't be put right, none is moved and the worker counts as alive; then they are put right", async () => {
  await setAhead("1 day");
  await beat();
  await awaitRevocation("3 days");
  await setAhead("0");
  await pool().query("ALTER TABLE listeners RENAME seen_at TO away");
  for (let round = 0; round < 3; round += 1) await beat();
  expect(((await secondsTo("due_at", "token_revocations")) ?? 0) / 3600).toBeCloseTo(96, 1);
  const before = await findLastHeartbeat();
  await beat();
  expect((await findLastHeartbeat())?.seenAt).not.toEqual(before?.seenAt);
  expect(await countAliveWorkers()).toBe(1);
  await pool().query("ALTER TABLE listeners RENAME away TO seen_at");
  await beat();
  expect(((await secondsTo("due_at", "token_revocations")) ?? 0) / 3600).toBeCloseTo(72, 1);
  await beat();
  expect(((await secondsTo("due_at", "token_revocations")) ?? 0) / 3600).toBeCloseTo(72, 1);
  expect(await secondsTo("seen_at", "worker_heartbeats")).toBeLessThan(1);
});

it("a lease of the clock as it is keeps its holder, and one of the clock before ends within two minutes", async () => {
  const { connectionId } = await connect();
  const claimed = (interval: string) =>
    pool().query("UPDATE connections SET claimed_until = clock_timestamp() + $2::interval WHERE id = $1", [connectionId, interval]);
  const left = () => secondsTo("claimed_until", `connections WHERE id = '${connectionId}'`);
  await beat();
  await setAhead("90 seconds");
  await beat();
  await setAhead("0");
  await claimed("2 minutes");
  await beat();
  expect(await left()).toBeGreaterThan(100);
  await setAhead("1 day");
  await beat();
  await claimed("10 seconds");
  await setAhead("0");
  await beat();
  expect(await left()).toBeGreaterThan(9);
  expect(await left()).toBeLessThanOrEqual(120);
});

it("what was due long before the clock was set back is due at once, and a platform's Retry-After is kept", async () => {
  const { connectionId } = await connect();
  await beat();
  await pool().query("UPDATE connections SET retry_after_until = clock_timestamp() + interval '2 hours' WHERE id = $1", [connectionId]);
  await setAhead("1 day");
  await beat();
  await awaitRevocation("-5 hours");
  await setAhead("0");
  await beat();
  expect(await secondsTo("due_at", "token_revocations")).toBeLessThan(1);
  expect(((await secondsTo("retry_after_until", `connections WHERE id = '${connectionId}'`)) ?? 0) / 3600).toBeCloseTo(2, 1);
});
