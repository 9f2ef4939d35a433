import { afterEach, expect, test } from "vitest";
import { resetEnv } from "#lib/config/env";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { newestKnownMigration } from "#lib/db/migrate";
import { pool } from "#lib/db/pool";
import { changeAlertChannel, deleteAlertChannel, testAlertChannel } from "#lib/flows/alerts/manage-channels";
import { changeDestination, deleteDestination, readDestinations } from "#lib/flows/forwarding/destinations";
import { testDestination } from "#lib/flows/forwarding/test-destination";
import { forgetLostKeys, rotateVault, sealUrls } from "#lib/flows/vault/vault-keys";
import { markAlive } from "#lib/processing/heartbeat-store";
import { listMissingKeys } from "#lib/vault/sealed-row-store";
import { makeChannel } from "#tests/support/alerts/alerts";
import { useDatabase } from "#tests/support/database";
import { asOwner, makeDestination } from "#tests/support/forwarding/destinations";
import { sendOne } from "#tests/support/forwarding/one-sender";
import { untilIs, useTargets } from "#tests/support/forwarding/senders";
import { expectNowhere, storedTexts } from "#tests/support/stored-texts";
import { makeWorkspace } from "#tests/support/webhooks";

useDatabase({ FORWARD_ALLOW: "127.0.0.1/32" });
const { target } = useTargets();

const KEYS = [7, 8].map((fill, n) => `k${n + 1}:${Buffer.alloc(32, fill).toString("base64")}`);
const useKeys = (...keys: (string | undefined)[]) => resetEnv({ VAULT_KEYS: keys.join(",") });

afterEach(async () => {
  await pool().query("DELETE FROM worker_heartbeats");
});

const IN_PATH = "canary-in-a-path-8b1f0c2d";
const IN_QUERY = "canary-in-a-query-77e0a4c9";
const tokens = `/hooks/${IN_PATH}?sig=${IN_QUERY}`;

/** A target that says again what it was asked with. */
const echo = (status: number) =>
  target((received, request, response) => {
    response.writeHead(status, { "x-asked": request.url ?? "" }).end(`no such hook: ${request.url} ${received.body.length}`);
  });

async function rowOf(id: string) {
  const { rows } = await pool().query<{ url: string; sealed: string | null; key: string | null }>(
    "SELECT url, url_sealed AS sealed, url_key_id AS key FROM destinations WHERE id = $1",
    [id],
  );
  return rows[0];
}

/** As the version before writes it. */
const writeClear = (id: string, url: string) => pool().query("UPDATE destinations SET url = $2 WHERE id = $1", [id, url]);

test("tokens of URLs stand in no column and in no backup, whatever is done with the URLs and whatever is answered", async () => {
  const { workspaceId, source } = await makeWorkspace();
  const failing = await echo(500);
  const url = new URL(tokens, failing.url).href;
  const { id } = await makeDestination(workspaceId, { url });
  expect((await sendOne(source, id, failing.received))?.path).toBe(tokens);
  await untilIs(async () => (await pool().query("SELECT 1 FROM forward_attempts WHERE destination_id = $1", [id])).rowCount, 1);
  expect((await testDestination(asOwner(workspaceId), id)).request.url).toBe(url);
  expect(failing.received.at(-1)?.path).toBe(tokens);
  await changeDestination(asOwner(workspaceId), id, { url: new URL(`/again${tokens}`, failing.url).href });
  await changeDestination(asOwner(workspaceId), id, { name: "Renamed" });
  expect((await readDestinations(workspaceId)).map((each) => each.url)).toEqual([new URL(`/again${tokens}`, failing.url).href]);
  const gone = await makeDestination(workspaceId, { name: "Gone", url });
  await deleteDestination(asOwner(workspaceId), gone.id);
  for (const settings of [{ kind: "webhook" }, { kind: "pagerduty", routingKey: "0123456789abcdef" }, { kind: "slack" }]) {
    const channel = await makeChannel(workspaceId, { name: settings.kind, url, ...settings });
    await testAlertChannel(asOwner(workspaceId), channel.id);
    expect(failing.received.at(-1)?.path).toBe(tokens);
    await changeAlertChannel(asOwner(workspaceId), channel.id, { name: `${settings.kind} renamed` });
    if (settings.kind === "pagerduty") await deleteAlertChannel(asOwner(workspaceId), channel.id);
  }

  const texts = await storedTexts();
  for (const text of Object.values(texts)) expect(text).toContain(id);
  expectNowhere([IN_PATH, IN_QUERY], texts);
  expect(await rowOf(gone.id)).toEqual({ url: `${new URL(url).origin}/#sealed`, sealed: null, key: null });
});

test("what the version before wrote is sent to, and sealed once no worker of that version is alive", async () => {
  const { workspaceId, source } = await makeWorkspace();
  const answering = await target();
  const { id } = await makeDestination(workspaceId, { url: new URL(tokens, answering.url).href });
  const bare = await makeDestination(workspaceId, { name: "Bare", url: new URL("/", answering.url).href });
  const gone = await makeDestination(workspaceId, { name: "Gone", url: answering.url });
  const channel = await makeChannel(workspaceId, { kind: "webhook", url: new URL(tokens, answering.url).href });
  // A change by a process of that version leaves what was sealed before beside it.
  const clear = new URL(`/by-the-old${tokens}`, answering.url).href;
  await writeClear(id, clear);
  await writeClear(gone.id, clear);
  await pool().query("UPDATE destinations SET deleted_at = now() WHERE id = $1", [gone.id]);
  await pool().query("UPDATE alert_channels SET target = $2, target_sealed = NULL WHERE id = $1", [channel.id, clear]);
  expect((await sendOne(source, id, answering.received))?.path).toBe(`/by-the-old${tokens}`);

  await markAlive(newestKnownMigration());
  await pool().query("INSERT INTO worker_heartbeats (id) VALUES ('a worker of the version before')");
  expect(await sealUrls()).toEqual({ sealed: 0, waits: true });
  expect((await rowOf(id))?.url).toBe(clear);
  await pool().query("UPDATE worker_heartbeats SET seen_at = now() - interval '21 seconds' WHERE knows IS NULL");
  expect(await sealUrls()).toEqual({ sealed: 3, waits: false });
  expect(await sealUrls()).toEqual({ sealed: 0, waits: false });
  expect(await rowOf(id)).toMatchObject({ url: `${new URL(clear).origin}/#sealed`, key: "k1" });
  expect(await rowOf(gone.id)).toMatchObject({ url: `${new URL(clear).origin}/#sealed`, key: null });
  expect(await rowOf(bare.id)).toMatchObject({ url: new URL("/", answering.url).href, sealed: null });
  expect((await sendOne(source, id, answering.received))?.path).toBe(`/by-the-old${tokens}`);
  await testAlertChannel(asOwner(workspaceId), channel.id);
  expect(answering.received.at(-1)?.path).toBe(`/by-the-old${tokens}`);
});

async function urlsOf(workspaceId: WorkspaceId): Promise<string[]> {
  return (await readDestinations(workspaceId)).map(({ url }) => url);
}

test("a change of keys seals URLs again; while their key is missing they are masked, and nothing is sent to the origin", async () => {
  await pool().query("TRUNCATE connections, sources, workspaces CASCADE");
  const { workspaceId, source } = await makeWorkspace();
  const answering = await target();
  const url = new URL(tokens, answering.url).href;
  const { id } = await makeDestination(workspaceId, { url });
  await makeChannel(workspaceId, { kind: "webhook", url });
  useKeys(KEYS[1], KEYS[0]);
  await rotateVault();
  useKeys(KEYS[1]);
  expect(await urlsOf(workspaceId)).toEqual([url]);
  const { rows } = await pool().query("SELECT DISTINCT target_key_id AS key, key_id AS other FROM alert_channels");
  expect(rows).toEqual([{ key: "k2", other: "k2" }]);

  useKeys(KEYS[0]);
  expect((await listMissingKeys()).find((each) => each.workspaceId === workspaceId)?.keyIds).toEqual(["k2"]);
  const masked = `${new URL(url).origin}/[hidden]`;
  expect(await urlsOf(workspaceId)).toEqual([masked]);
  // As the form sends it: a name beside a URL that is as it was.
  await changeDestination(asOwner(workspaceId), id, { name: "Renamed", url: masked });
  await expect(testDestination(asOwner(workspaceId), id)).rejects.toMatchObject({ code: "key_unknown" });
  useKeys(KEYS[1]);
  expect(await urlsOf(workspaceId)).toEqual([url]);
  expect((await sendOne(source, id, answering.received))?.path).toBe(tokens);
  expect(answering.received.map((each) => each.path)).toEqual([tokens]);

  useKeys(KEYS[0]);
  expect(await forgetLostKeys(new Date())).toMatchObject({ keyIds: ["k2"], targets: 4 });
  expect(await urlsOf(workspaceId)).toEqual([masked]);
  await changeDestination(asOwner(workspaceId), id, { url, secret: `whsec_${Buffer.alloc(32, 7).toString("base64")}` });
  expect(await testDestination(asOwner(workspaceId), id)).toMatchObject({ outcome: "delivered" });
  expect(answering.received.map((each) => each.path)).toEqual([tokens, tokens]);
});
