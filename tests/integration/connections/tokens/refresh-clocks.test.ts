import { expect, test } from "vitest";
import type { ConnectionId } from "#lib/contracts/api/ids";
import { pool } from "#lib/db/pool";
import { refreshAndWait, refreshConnection, refreshDueConnections } from "#lib/flows/connections/refresh-connection";
import { systemClock } from "#lib/time/clock";
import { useHostilePlatform } from "#tests/support/hostile-platform";
import { beginWith, untilBlocked } from "#tests/support/other-session";
import { connect } from "#tests/support/platform-connection";

const { platform } = useHostilePlatform();
const HOUR_MS = 3_600_000;

/** The clock of a machine on which it is wrong by so much. */
const clockOff = (byMs: number) => ({ ...systemClock, now: () => systemClock.now() + byMs });

const refreshes = () => platform.requests.filter(({ fields }) => fields.grant_type === "refresh_token").length;
const makeDue = (id: ConnectionId) =>
  pool().query("UPDATE connections SET next_refresh_at = now() - interval '1 second' WHERE id = $1", [id]);

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
