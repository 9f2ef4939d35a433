import { generateKeyPairSync } from "node:crypto";
import { expect, it } from "vitest";
import { type SourceId, sourceId as toSourceId } from "#lib/contracts/api/ids";
import { pool } from "#lib/db/pool";
import { releaseMatching, releaseQuarantined } from "#lib/flows/quarantine/release-quarantined";
import { changeSource, createSource, rotateSourceSecret } from "#lib/flows/sources/manage-sources";
import { readSource, readSources } from "#lib/flows/sources/read-sources";
import { assertRoom } from "#lib/sources/source-store";
import { contextOf } from "#tests/support/context";
import { useDatabase } from "#tests/support/database";
import { noAudit } from "#tests/support/no-audit";
import { useNodeReceiver } from "#tests/support/receivers";
import { countOf, HMAC, useSenders } from "#tests/support/sender-source";

useDatabase();
const receiver = useNodeReceiver();
const { makeSender, newestQuarantined } = useSenders(receiver);

const HOUR_AGO = new Date(Date.now() - 3_600_000);

it("requests whose ID header is masked when it is kept are released each for itself", async () => {
  const { workspaceId, sourceId, owner, send } = await makeSender("twilio");
  const bodies = ["queued", "sent", "delivered"].map((status) => `MessageSid=SM1&MessageStatus=${status}`);
  for (const [index, body] of bodies.entries()) {
    const answer = await send(body, { "i-twilio-idempotency-token": `token-${index}` }, new Date(), "another-auth-token");
    expect(answer.status).toBe(401);
  }
  await rotateSourceSecret(contextOf(owner, { audit: noAudit }), sourceId, { overlapHours: 0, secret: "another-auth-token" });
  const released = await releaseMatching(workspaceId, { filter: {}, dryRun: false }, "ada", new Date());
  expect(released).toMatchObject({ released: 3, repeated: 0, failed: 0 });
  expect(await countOf("events", workspaceId)).toBe(3);
});

it("no secret is taken that anybody could sign with, and none is generated that only the sender can issue", async () => {
  const standard = await makeSender("standard-webhooks");
  const rotate = (made: Awaited<ReturnType<typeof makeSender>>, secret?: string) =>
    rotateSourceSecret(contextOf(made.owner, { audit: noAudit }), made.sourceId, {
      overlapHours: 0,
      ...(secret !== undefined && { secret }),
    });
  await expect(rotate(standard, "whsec_!!!!!!!!")).rejects.toThrow("paste the whole secret");
  expect((await rotate(standard)).secret).toMatch(/^whsec_[A-Za-z0-9+/]+={0,2}$/);
  await expect(rotate(await makeSender("stripe"))).rejects.toThrow(/^secret: Stripe issues it/);
  await expect(makeSender("hmac", { scheme: { hmac: { ...HMAC, key: "base64" } }, secret: "!!!!!!!!" })).rejects.toThrow(/^secret:/);
});

it("a source says who makes its secret, so that a rotation asks for the sender's where it has one", async () => {
  const { publicKey } = generateKeyPairSync("ed25519");
  const secret = publicKey.export({ type: "spki", format: "pem" }).toString();
  const signed = { scheme: { hmac: { ...HMAC, method: "ed25519" } }, secret } as const;
  const made = await Promise.all([makeSender("github"), makeSender("svix"), makeSender("stripe"), makeSender("hmac", signed)]);
  const sources = await Promise.all(made.map(({ workspaceId, sourceId }) => readSource(workspaceId, sourceId)));
  expect(sources.map(({ template, generatesSecret, issuesSecret }) => [template, generatesSecret, issuesSecret])).toEqual([
    ["github", true, false],
    ["svix", true, true],
    ["stripe", false, true],
    ["hmac", false, true],
  ]);
});

it("what came too late and could be a replay is released by somebody who looked at it, and not among many", async () => {
  const { workspaceId, owner, send } = await makeSender("linear");
  const body = JSON.stringify({ action: "create", type: "Issue", webhookTimestamp: HOUR_AGO.getTime() });
  expect((await send(body, { "linear-delivery": "d1", "linear-event": "Issue" })).status).toBe(401);
  expect(await releaseMatching(workspaceId, { filter: {}, dryRun: false }, "ada", new Date())).toMatchObject({
    released: 0,
    stillQuarantined: 1,
  });
  const { id = "" } = (await newestQuarantined(workspaceId)) ?? {};
  expect(await releaseQuarantined(workspaceId, id, owner.workspaceName, new Date())).toMatchObject({ released: true, eventId: "d1" });
});

it("a late request is not kept where the source reads its ID from what is not signed", async () => {
  const { workspaceId, send } = await makeSender("stripe", { reading: { id: ["header:x-request-id"], type: ["type"] } });
  const body = JSON.stringify({ id: "evt_1", type: "a.b", created: 1, data: {} });
  expect((await send(body, { "x-request-id": "one" }, HOUR_AGO)).status).toBe(401);
  expect(await newestQuarantined(workspaceId)).toMatchObject({ reason: "signature_expired" });
  expect((await send(body, { "x-request-id": "one" })).status).toBe(200);
});

it("what verified is released as its own source reads it, also when that is archived", async () => {
  const { workspaceId, owner, sourceId, send } = await makeSender("hmac", { scheme: { hmac: HMAC } });
  expect((await send(JSON.stringify({ id: "evt_own", kind: "door.opened" }))).status).toBe(202);
  await changeSource(contextOf(owner, { audit: noAudit }), sourceId, { reading: { id: ["id"], type: ["kind"] }, archived: true });
  const { id = "" } = (await newestQuarantined(workspaceId)) ?? {};
  expect(await releaseQuarantined(workspaceId, id, owner.workspaceName, new Date())).toMatchObject({ released: true, eventId: "evt_own" });
});

it("the workspace's own source can't be archived, another of the platform can, and none is restored beyond the limit", async () => {
  const { workspaceId, owner, sourceId } = await makeSender("github");
  const archive = (id: SourceId, archived: boolean) => changeSource(contextOf(owner, { audit: noAudit }), id, { archived });
  const own = (await readSources(workspaceId)).filter(({ main }) => main);
  expect(own).toMatchObject([{ template: "platform" }]);
  await expect(archive(toSourceId.parse(own[0]?.id), true)).rejects.toThrow(/can't be archived/);
  const { id: another } = await createSource(contextOf(owner, { audit: noAudit }), {
    name: `${workspaceId}-another`,
    template: "platform",
  });
  expect(await archive(toSourceId.parse(another), true)).toMatchObject({ main: false, archivedAt: expect.any(String) });
  await archive(sourceId, true);
  await pool().query(
    "INSERT INTO sources (id, workspace_id, name, template) SELECT $1 || n, $1, $1 || n, 'github' FROM generate_series(2, 100) n",
    [workspaceId],
  );
  await expect(archive(sourceId, false)).rejects.toThrow(/at most 100 sources/);
});

it("of two sources added at once to 99, one is rejected", async () => {
  const { workspaceId, owner } = await makeSender("github");
  await pool().query(
    "INSERT INTO sources (id, workspace_id, name, template) SELECT $1 || n, $1, $1 || n, 'github' FROM generate_series(3, 99) n",
    [workspaceId],
  );
  const first = await pool().connect();
  await first.query("BEGIN");
  await assertRoom(first, workspaceId);
  const second = createSource(contextOf(owner, { audit: noAudit }), { name: `${workspaceId}-second`, template: "github" });
  const rejected = expect(second).rejects.toThrow(/at most 100 sources/);
  const waits = "SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted";
  await expect.poll(async () => (await pool().query(waits)).rowCount).toBe(1);
  await first.query("INSERT INTO sources (id, workspace_id, name, template) VALUES ($1 || 'first', $1, $1 || 'first', 'github')", [
    workspaceId,
  ]);
  await first.query("COMMIT");
  first.release();
  await rejected;
});
