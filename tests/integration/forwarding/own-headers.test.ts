import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { resetEnv } from "#lib/config/env";
import { pool } from "#lib/db/pool";
import { changeDestination, deleteDestination, getDestination } from "#lib/flows/forwarding/destinations";
import { readDeliveries } from "#lib/flows/forwarding/read-deliveries";
import { testDestination } from "#lib/flows/forwarding/test-destination";
import { forgetLostKeys, rotateVault } from "#lib/flows/vault/vault-keys";
import { listMissingKeys } from "#lib/vault/sealed-row-store";
import { makeAccount } from "#tests/support/account";
import { captureLog } from "#tests/support/captured-log";
import { useDatabase } from "#tests/support/database";
import { asOwner, makeDestination, receiveAndApply } from "#tests/support/forwarding/destinations";
import { sendOne, startOneSender } from "#tests/support/forwarding/one-sender";
import { untilAtLeast, useTargets } from "#tests/support/forwarding/senders";
import type { Received } from "#tests/support/forwarding/target";
import { callApi } from "#tests/support/members";
import { useNodeReceiver } from "#tests/support/receivers";
import { HMAC, useSenders } from "#tests/support/sender-source";
import { expectNowhere, storedTexts } from "#tests/support/stored-texts";
import { makeWorkspace } from "#tests/support/webhooks";

useDatabase({ FORWARD_ALLOW: "127.0.0.1/32" });
const { open, target, withDestination } = useTargets();
const { makeSender } = useSenders(useNodeReceiver());

const KEYS = [7, 8].map((fill, n) => `k${n + 1}:${Buffer.alloc(32, fill).toString("base64")}`);
const useKeys = (...keys: (string | undefined)[]) => resetEnv({ VAULT_KEYS: keys.join(",") });

afterEach(() => {
  useKeys(KEYS[0]);
});

const CANARY = "canary-of-a-gateway-8b1f0c2d";
const PASSWORD = "canary-of-a-password-19ce";
const BASIC = `Basic ${Buffer.from(`gateway:${PASSWORD}`).toString("base64")}`;
const HEADERS = [
  { name: "X-Api-Key", value: CANARY },
  { name: "Authorization", value: BASIC },
];

const keyOf = (one: Received | undefined) => one?.headers["x-api-key"];

async function rowOf(id: string) {
  const { rows } = await pool().query<{ names: string[]; sealed: string | null; key: string | null }>(
    "SELECT header_names AS names, headers_sealed AS sealed, headers_key_id AS key FROM destinations WHERE id = $1",
    [id],
  );
  return rows[0];
}

test("a header's value stands in no column, backup, log or answer, also where the target repeats it, decoded or in a redirect", async () => {
  const { workspaceId, source, id, url, received } = await withDestination({ headers: HEADERS }, (one, _request, response) => {
    const echo = JSON.stringify({ headers: one.headers, password: PASSWORD });
    response.writeHead(302, { location: `https://new.example/?key=${keyOf(one)}`, "x-asked": String(keyOf(one)) }).end(echo);
  });
  const log = captureLog();
  expect(keyOf(await sendOne(source, id, received))).toBe(CANARY);
  const tested = JSON.stringify(await testDestination(asOwner(workspaceId), id));
  expect(received.map((one) => [keyOf(one), one.headers.authorization])).toEqual(Array(2).fill([CANARY, BASIC]));
  await changeDestination(asOwner(workspaceId), id, { headers: [{ name: "X-Api-Key", value: `${CANARY}-2` }, { name: "Authorization" }] });
  const gone = await makeDestination(workspaceId, { name: "Gone", url, headers: HEADERS });
  await deleteDestination(asOwner(workspaceId), gone.id);
  expect(await rowOf(gone.id)).toEqual({ names: [], sealed: null, key: null });

  const { data } = await readDeliveries(workspaceId, { destination: id }, { limit: 1 });
  const account = await makeAccount({ workspaceId });
  const get = async (route: string, of = "") => (await callApi("GET", `v1/${route}`, account, { params: { id: of } })).text();
  const asked = [get("destinations"), get("destinations/[id]", id), get("deliveries/[id]", data[0]?.id), get("issues"), get("audit")];
  const answers = await Promise.all(asked);
  log.stop();
  for (const answer of answers.slice(0, 3)) expect(answer).toContain("X-Api-Key");
  const texts = { ...(await storedTexts()), log: log.text(), tested, answers: answers.join("\n") };
  expectNowhere([CANARY, PASSWORD, BASIC.slice("Basic ".length)], texts);
});

test("the audit log says which headers were added, removed and replaced", async () => {
  const { workspaceId, id } = await withDestination({ headers: HEADERS });
  const changes = [
    [{ name: "X-Api-Key", value: "another" }, { name: "Authorization" }],
    [{ name: "X-Api-Key" }, { name: "X-Tenant", value: "7" }],
  ];
  for (const headers of changes) await changeDestination(asOwner(workspaceId), id, { headers });
  const { rows } = await pool().query<{ before: unknown; after: unknown }>(
    "SELECT before, after FROM audit_entries WHERE workspace_id = $1 ORDER BY id",
    [workspaceId],
  );
  expect(rows).toEqual([
    { before: null, after: expect.objectContaining({ headers: ["X-Api-Key", "Authorization"] }) },
    { before: {}, after: { headersReplaced: ["X-Api-Key"] } },
    { before: { headers: ["X-Api-Key", "Authorization"] }, after: { headers: ["X-Api-Key", "X-Tenant"] } },
  ]);
});

test("a change of keys seals headers again; without their key nothing is sent, and a discarded one asks for them again", async () => {
  await pool().query("TRUNCATE connections, sources, workspaces CASCADE");
  useKeys(KEYS[0]);
  const { workspaceId, source, id, url, received } = await withDestination({ mode: "pass_through", headers: HEADERS });
  expect(await rowOf(id)).toMatchObject({ names: ["X-Api-Key", "Authorization"], key: "k1" });
  useKeys(KEYS[1], KEYS[0]);
  await rotateVault();
  useKeys(KEYS[1]);
  expect(await rowOf(id)).toMatchObject({ key: "k2" });
  expect(keyOf(await sendOne(source, id, received))).toBe(CANARY);

  await pool().query("UPDATE destinations SET url = $2, url_sealed = NULL, url_key_id = NULL WHERE id = $1", [id, url]);
  useKeys(KEYS[0]);
  expect((await listMissingKeys()).find((each) => each.workspaceId === workspaceId)?.keyIds).toEqual(["k2"]);
  expect((await getDestination(workspaceId, id)).headers).toHaveLength(2);
  await expect(testDestination(asOwner(workspaceId), id)).rejects.toMatchObject({
    ...{ code: "conflict", message: expect.stringContaining("missing from VAULT_KEYS") },
  });
  await expect(changeDestination(asOwner(workspaceId), id, { headers: [{ name: "X-Api-Key" }] })).rejects.toMatchObject({
    errors: [{ path: "headers.0.value", message: expect.stringContaining("Enter it again") }],
  });
  await forgetLostKeys(new Date());
  expect(await rowOf(id)).toEqual({ names: ["X-Api-Key", "Authorization"], sealed: null, key: null });
  await expect(testDestination(asOwner(workspaceId), id)).rejects.toMatchObject({
    ...{ code: "conflict", message: expect.stringContaining("key that was discarded. Enter them again") },
  });
  await changeDestination(asOwner(workspaceId), id, { headers: [{ name: "X-Api-Key", value: "another" }] });
  expect(await testDestination(asOwner(workspaceId), id)).toMatchObject({ outcome: "delivered" });
  expect(received.map(keyOf)).toEqual([CANARY, "another"]);
});

test("values go to the host that they were entered for alone, whoever changes the URL", async () => {
  const { workspaceId, source } = await makeWorkspace();
  const [first, other] = [await target(), await target()];
  const { id } = await makeDestination(workspaceId, { url: first.url, mode: "pass_through", headers: HEADERS });
  const change = (body: Parameters<typeof changeDestination>[2]) => changeDestination(asOwner(workspaceId), id, body);
  await expect(change({ url: other.url })).rejects.toMatchObject({
    errors: [{ path: "headers", message: expect.stringContaining("values of X-Api-Key, Authorization again") }],
  });
  await expect(change({ url: other.url, headers: [{ name: "x-api-key" }] })).rejects.toMatchObject({
    errors: [{ path: "headers.0.value", message: expect.stringContaining("value of x-api-key again") }],
  });
  await change({ url: new URL("/another/path", first.url).href });
  // As a process of the release before does it.
  await pool().query("UPDATE destinations SET url = $2, url_sealed = NULL, url_key_id = NULL WHERE id = $1", [id, other.url]);
  await receiveAndApply(source);
  await expect(testDestination(asOwner(workspaceId), id)).rejects.toMatchObject({
    ...{ code: "conflict", message: expect.stringContaining("entered for another host. Enter them again") },
  });
  const sender = await startOneSender(id);
  open.push(sender);
  await sleep(300);
  expect([first.received, other.received]).toEqual([[], []]);
  await change({ headers: [{ name: "X-Api-Key", value: "entered again" }] });
  await sender.update();
  await untilAtLeast(() => other.received.length, 1);
  expect(other.received.map(keyOf)).toEqual(["entered again"]);
});

test("a name that a sender's signature has is refused where it is passed or re-signed, and taken where Signalbox signs", async () => {
  const { workspaceId, name } = await makeSender("hmac", { scheme: { hmac: { ...HMAC, header: "authorization" } } });
  const { url } = await target();
  const headers = [{ name: "X-Tenant", value: "7" }, ...HEADERS.slice(1)];
  const make = (mode: string) => makeDestination(workspaceId, { name: mode, url, mode, sources: [name], headers });
  for (const mode of ["pass_through", "re_sign"])
    await expect(make(mode)).rejects.toMatchObject({
      errors: [{ path: "headers.1.name", message: expect.stringContaining("sender signs") }],
    });
  expect((await make("signed")).headers).toEqual([{ name: "X-Tenant" }, { name: "Authorization" }]);
});

test("a destination of the release before has no headers, and is sent to and changed as ever", async () => {
  const { workspaceId, source, id, received } = await withDestination();
  await pool().query("UPDATE destinations SET header_names = DEFAULT, headers_sealed = NULL, headers_key_id = NULL WHERE id = $1", [id]);
  expect((await getDestination(workspaceId, id)).headers).toEqual([]);
  expect(Object.keys((await sendOne(source, id, received))?.headers ?? {})).not.toContain("x-api-key");
  await changeDestination(asOwner(workspaceId), id, { rate: 20, headers: HEADERS });
  expect(keyOf(await sendOne(source, id, received))).toBe(CANARY);
});
