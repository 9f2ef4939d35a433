import { expect, test } from "vitest";
import type { Actor } from "#lib/auth/actor";
import type { ConnectionId } from "#lib/contracts/api/ids";
import { pool } from "#lib/db/pool";
import { disconnectConnection } from "#lib/flows/connections/connections";
import { refreshConnection } from "#lib/flows/connections/refresh-connection";
import { contextOf } from "#tests/support/context";
import { useHostilePlatform } from "#tests/support/hostile-platform";
import { begin, comeBack, connect } from "#tests/support/platform-connection";

const { platform } = useHostilePlatform();

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
const refused = (status: number, error: string) => () => ({ status, body: { error } });
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
  ["delayed", renew, refused(503, "server_error")],
  ["lost", renew, refused(400, "invalid_grant")],
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
