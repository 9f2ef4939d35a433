import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { renameConnection } from "#lib/connections/connection-store";
import type { ConnectionId, WorkspaceId } from "#lib/contracts/api/ids";
import { pool } from "#lib/db/pool";
import { listConnections, readConnection } from "#lib/flows/connections/connections";
import { refreshDueConnections } from "#lib/flows/connections/refresh-connection";
import { createReceiver } from "#lib/flows/ingest/receiver";
import { processEvents } from "#lib/flows/processing/process-events";
import { redeliverEvent } from "#lib/flows/processing/redeliver-events";
import { readView } from "#lib/flows/views/read-views";
import { ensureSource } from "#lib/sources/source-store";
import { useHostilePlatform } from "#tests/support/hostile-platform";
import { begin, comeBack, connect } from "#tests/support/platform-connection";
import { receiveUntilKept } from "#tests/support/receive-until-kept";
import { envelope, SECRET, sign } from "#tests/support/webhooks";

const { platform } = useHostilePlatform();

const card = (workspaceId: WorkspaceId, id: ConnectionId) => readConnection(workspaceId, id, new Date());
const kinds = async (workspaceId: WorkspaceId, id: ConnectionId) => (await card(workspaceId, id))?.history.map(({ kind }) => kind);

/** The platform sends a webhook and the worker applies it. @returns the event's id */
async function send(workspaceId: WorkspaceId, type: string, data: Record<string, unknown>, created = Math.floor(Date.now() / 1000)) {
  const source = `source-${workspaceId.slice(-8).toLowerCase()}`;
  await ensureSource(workspaceId, source, SECRET, { now: new Date() });
  const id = `evt_${randomUUID()}`;
  const body = envelope({ id, type, created, data });
  const headers = { "x-webhook-signature": sign(body) };
  expect((await receiveUntilKept(createReceiver(), { source, headers, body })).status).toBe(200);
  await processEvents();
  return id;
}

/** A second connection beside the first, as that account. */
async function connectBeside(actor: Parameters<typeof begin>[0], account: string): Promise<ConnectionId> {
  platform.answer = () => ({ body: { access_token: "a", refresh_token: "r", expires_in: 600, account } });
  const { connectionId, state } = await begin(actor);
  await comeBack(actor, { code: "c", state });
  return connectionId;
}

describe("an event of the platform about an integration", () => {
  test("belongs to the only connection, shows on its card and timeline, and says which event it was", async () => {
    const { actor, connectionId: id } = await connect();
    const eventId = await send(actor.workspaceId, "integration.error", {
      integrationId: "int_1",
      error: { code: "rate_limited", message: "too many\u0000\nrequests" },
    });
    expect(await card(actor.workspaceId, id)).toMatchObject({
      state: "connected",
      problem: { code: "integration_error", raw: "rate_limited: too many requests" },
      lastEvent: { id: eventId, type: "integration.error" },
      history: [
        { kind: "platform_error", eventId },
        { kind: "connected", eventId: null },
      ],
    });
  });

  test("from before the connection is not its last event, on its page and in the list", async () => {
    const { actor, connectionId: id } = await connect();
    await send(actor.workspaceId, "document.uploaded", { documentId: "doc_1" });
    expect((await card(actor.workspaceId, id))?.lastEvent).toMatchObject({ type: "document.uploaded" });
    await pool().query("UPDATE connections SET created_at = now() WHERE id = $1", [id]);
    expect((await card(actor.workspaceId, id))?.lastEvent).toBe(null);
    const { data } = await listConnections(actor.workspaceId, {}, { limit: 10 }, new Date());
    expect(data.map(({ lastEventAt }) => lastEventAt)).toEqual([null]);
  });

  test("names it after its account when the token answer named none; a name that was given, or that a later integration has, stays away", async () => {
    platform.answer = () => ({ body: { access_token: "a", refresh_token: "r", expires_in: 600 } });
    const { actor, connectionId: id } = await connect();
    const nameNow = async () => (await card(actor.workspaceId, id))?.name;
    expect(await nameNow()).toBe("Account 1");
    const grantedAt = (at: string) => pool().query(`UPDATE connections SET connected_at = ${at} WHERE id = $1`, [id]);
    await grantedAt("now() - interval '1 hour'");
    await send(actor.workspaceId, "integration.connected", { integrationId: "int_9", account: "archive@store.example" });
    expect(await nameNow()).toBe("Account 1");
    await grantedAt("now()");
    await send(actor.workspaceId, "integration.connected", { account: "Acme\nGmbH" });
    expect(await nameNow()).toBe("Acme GmbH");
    await renameConnection(actor.workspaceId, id, "Head office");
    await send(actor.workspaceId, "integration.connected", { account: "Acme AG" });
    expect(await nameNow()).toBe("Head office");
    expect((await kinds(actor.workspaceId, id))?.[0]).toBe("platform_connected");
  });

  test("also when it names nothing at all, so that no view can take it", async () => {
    const { actor, connectionId: id } = await connect();
    await send(actor.workspaceId, "integration.error", {});
    expect(await kinds(actor.workspaceId, id)).toEqual(["platform_error", "connected"]);
  });

  test("is told once, however often it is re-delivered", async () => {
    const { actor, connectionId: id } = await connect();
    const eventId = await send(actor.workspaceId, "integration.token_refresh", { integrationId: "int_1" });
    for (let again = 0; again < 3; again += 1) {
      await redeliverEvent(actor.workspaceId, eventId, "Ada");
      await processEvents();
    }
    expect(await kinds(actor.workspaceId, id)).toEqual(["platform_refreshed", "connected"]);
  });

  test("of several connections it belongs to the one whose account it names, and to none when it names none of them", async () => {
    const { actor, connectionId: first } = await connect();
    const acme = await connectBeside(actor, "Acme GmbH");
    const globex = await connectBeside(actor, "Globex");
    await send(actor.workspaceId, "integration.error", { account: "Globex", message: "down" });
    await send(actor.workspaceId, "integration.error", { account: "Somebody else" });
    expect(await kinds(actor.workspaceId, globex)).toEqual(["platform_error", "connected"]);
    for (const other of [first, acme]) expect(await kinds(actor.workspaceId, other)).toEqual(["connected"]);
    const { data } = await listConnections(actor.workspaceId, {}, { limit: 10 }, new Date());
    expect(data.filter(({ lastEventAt }) => lastEventAt !== null).map(({ id }) => id)).toEqual([globex]);
  });

  test("that the access was taken back is tried at once: a grant that lives stays connected, one that is dead asks for a new permission", async () => {
    const { actor, connectionId: id } = await connect();
    await send(actor.workspaceId, "integration.disconnected", { integrationId: "int_1" });
    expect(await card(actor.workspaceId, id)).toMatchObject({ state: "retrying", problem: { code: "revoked_at_platform" } });
    await refreshDueConnections();
    expect(await card(actor.workspaceId, id)).toMatchObject({ state: "connected", problem: null });
    platform.answer = () => ({ status: 400, body: { error: "invalid_grant" } });
    await send(actor.workspaceId, "integration.disconnected", { integrationId: "int_1" });
    await refreshDueConnections();
    expect(await card(actor.workspaceId, id)).toMatchObject({ state: "needs_reauthorization", problem: { code: "token_expired" } });
    expect(await kinds(actor.workspaceId, id)).toEqual([
      "lost",
      "platform_disconnected",
      "refreshed",
      "platform_disconnected",
      "connected",
    ]);
  });

  test("from before the present grant stands in the timeline and changes nothing", async () => {
    const { actor, connectionId: id } = await connect();
    await send(actor.workspaceId, "integration.disconnected", { integrationId: "int_1" }, 1_700_000_000);
    expect(await card(actor.workspaceId, id)).toMatchObject({ state: "connected", problem: null });
    expect(await kinds(actor.workspaceId, id)).toEqual(["platform_disconnected", "connected"]);
  });

  test("that the platform renews again ends the waiting of a connection that is retrying", async () => {
    const { actor, connectionId: id } = await connect();
    await pool().query("UPDATE connections SET state = 'retrying', next_refresh_at = now() + interval '5 minutes' WHERE id = $1", [id]);
    await send(actor.workspaceId, "integration.token_refresh", {});
    await refreshDueConnections();
    expect(await card(actor.workspaceId, id)).toMatchObject({ state: "connected" });
  });

  test("of another workspace is not told here", async () => {
    const { actor, connectionId: id } = await connect();
    const other = await connect();
    await send(other.actor.workspaceId, "integration.error", { integrationId: "int_1" });
    expect(await kinds(actor.workspaceId, id)).toEqual(["connected"]);
  });
});

describe("a connection that is made again", () => {
  test("keeps its id and history, bears the account of its token answer, and warns while another account came back", async () => {
    const { actor } = await connect();
    const id = await connectBeside(actor, "Acme GmbH");
    expect((await card(actor.workspaceId, id))?.name).toBe("Acme GmbH");
    const reconnect = async (account: string) => {
      platform.answer = () => ({ body: { access_token: "a", refresh_token: "r", expires_in: 600, account } });
      const { connectionId, state } = await begin(actor, { connectionId: id });
      expect(connectionId).toBe(id);
      await comeBack(actor, { code: "c", state });
    };
    await reconnect("Globex");
    const now = { name: "Globex", account: "Globex", accountBefore: "Acme GmbH", state: "connected" };
    expect(await card(actor.workspaceId, id)).toMatchObject(now);
    await reconnect("Globex");
    expect(await card(actor.workspaceId, id)).toMatchObject({ account: "Globex", accountBefore: null });
    expect(await kinds(actor.workspaceId, id)).toEqual([
      "not_revoked",
      "connected",
      "not_revoked",
      "account_changed",
      "connected",
      "connected",
    ]);
  });

  test("a browser that never came back: the card names the likely cause and the address to register", async () => {
    const { actor } = await connect();
    const { connectionId } = await begin(actor);
    expect((await card(actor.workspaceId, connectionId))?.problem).toBeNull();
    const later = new Date(Date.now() + 16_000);
    const shown = await readConnection(actor.workspaceId, connectionId, later);
    expect(shown).toMatchObject({ state: "pending", problem: { code: "callback_not_registered" } });
    expect(shown?.problem?.why).toContain("Callback URL is not registered in the OAuth app");
    expect(shown?.problem?.fix).toContain("http://localhost:3000/callback");
  });
});

describe("an integration and the connection that it belongs to", () => {
  const integrationOf = (workspaceId: WorkspaceId, id: string) => readView(workspaceId, "integration", id, null);
  const namesOf = async (workspaceId: WorkspaceId, id: ConnectionId) =>
    (await card(workspaceId, id))?.integrations.map((integration) => integration.id);

  test("lead to each other: by the platform's id, by the account, and where there is only one", async () => {
    const { actor, connectionId: first } = await connect();
    const { workspaceId } = actor;
    await send(workspaceId, "integration.connected", { integrationId: "int_any", provider: "mail" });
    expect((await integrationOf(workspaceId, "int_any"))?.connection).toMatchObject({ id: first });
    expect((await card(workspaceId, first))?.integrations).toEqual([{ id: "int_any", label: "mail" }]);

    const second = await connectBeside(actor, "other@acme");
    await pool().query("UPDATE connections SET integration_id = 'int_known' WHERE id = $1", [first]);
    await send(workspaceId, "integration.connected", { integrationId: "int_known", account: "other@acme" });
    await send(workspaceId, "integration.connected", { integrationId: "int_other", account: "other@acme" });
    expect((await integrationOf(workspaceId, "int_known"))?.connection).toMatchObject({ id: first });
    expect((await integrationOf(workspaceId, "int_other"))?.connection).toMatchObject({ id: second });
    expect(await namesOf(workspaceId, first)).toEqual(["int_known"]);
    expect(await namesOf(workspaceId, second)).toEqual(["int_other"]);
  });

  test("don't where it can't be told: among several, of another workspace, of another kind", async () => {
    const { actor, connectionId } = await connect();
    const { workspaceId } = actor;
    await connectBeside(actor, "other@acme");
    await send(workspaceId, "integration.connected", { integrationId: "int_1" });
    expect((await integrationOf(workspaceId, "int_1"))?.connection).toBeNull();
    expect(await namesOf(workspaceId, connectionId)).toEqual([]);
    const stranger = await connect();
    await pool().query("UPDATE connections SET integration_id = 'int_1' WHERE id = $1", [stranger.connectionId]);
    expect((await integrationOf(workspaceId, "int_1"))?.connection).toBeNull();
    expect(await namesOf(stranger.actor.workspaceId, stranger.connectionId)).toEqual([]);
    await send(workspaceId, "document.uploaded", { documentId: "doc_1" });
    expect((await readView(workspaceId, "document", "doc_1", null))?.connection).toBeNull();
  });

  test("still do when the connection was ended whose platform id it is", async () => {
    const { actor, connectionId } = await connect();
    await pool().query("UPDATE connections SET integration_id = 'int_1' WHERE id = $1", [connectionId]);
    await send(actor.workspaceId, "integration.disconnected", { integrationId: "int_1" });
    await pool().query("DELETE FROM connection_tokens WHERE connection_id = $1", [connectionId]);
    expect((await integrationOf(actor.workspaceId, "int_1"))?.connection).toMatchObject({ id: connectionId });
    expect(await namesOf(actor.workspaceId, connectionId)).toEqual(["int_1"]);
  });
});
