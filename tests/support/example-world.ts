import { insertAudit } from "#lib/auth/audit/audit-store";
import { hashPassword } from "#lib/auth/sign-in/password";
import { workspaceId as toWorkspaceId, type WorkspaceId } from "#lib/contracts/api/ids";
import { hmacSettings } from "#lib/contracts/sources/scheme-settings";
import { dispatchHere } from "#lib/db/notifications";
import { pool } from "#lib/db/pool";
import { prisma } from "#lib/db/prisma";
import { createReceiver } from "#lib/flows/ingest/receiver";
import { seal } from "#lib/vault/vault";
import { openSession } from "./account.ts";
import { drainInbox } from "./log-writer.ts";
import { ofThisFile } from "./of-this-file.ts";
import { receiveUntilKept } from "./receive-until-kept.ts";
import { putRowsBack, readRows, removeRows, type TableRows } from "./table-rows.ts";
import { envelope, SECRET, sign, signed } from "./webhooks.ts";

/**
 * The world that the examples of routes speak of: a workspace with one of
 * everything, whose ids end in the world's name (`evt_example`,
 * `con_example`…). A route whose example needs more adds it here.
 */
export type ExampleWorld = { name: string; workspaceId: WorkspaceId; userId: string; cookie: string };

/** A word that stands in every text of a world that has that name: wherever it shows up, something of that world did. */
export const canaryOf = (name: string): string => `canary-${name}-7f3a`;

/** Makes a world. Another name makes another workspace with the same things under other ids. */
export async function makeExampleWorld(name = "example"): Promise<ExampleWorld> {
  const first = (await pool().query("SELECT 1 FROM workspaces LIMIT 1")).rowCount === 0;
  const kept = first ? made().get(name) : undefined;
  if (kept) {
    await putRowsBack(kept.rows);
    return kept.world;
  }
  const world = await make(name);
  if (first) made().set(name, { world, rows: await readRows() });
  return world;
}

/** A world that was made in an empty database is kept as rows: to put them back takes a tenth of the time. */
const made = () => ofThisFile("worlds", () => new Map<string, { world: ExampleWorld; rows: TableRows }>());

async function make(name: string): Promise<ExampleWorld> {
  const workspaceId = toWorkspaceId.parse(`wsp_${name}`);
  const userId = `usr_${name}`;
  const canary = canaryOf(name);
  await prisma().workspace.create({ data: { id: workspaceId, name: canary } });
  await makePeople(name, workspaceId);
  await makeConnection(name, workspaceId);
  await makeEvents(name, workspaceId);
  await makeRefused(name, workspaceId);
  await makeOperations(name, workspaceId);
  await makeEventType(name, workspaceId);
  await makeMissingEvent(name, workspaceId);
  await makeDestinations(name, workspaceId);
  await makeAlert(name, workspaceId);
  await makeSandbox(name, workspaceId);
  return { name, workspaceId, userId, cookie: (await openSession(workspaceId, userId, "totp")).cookie };
}

/** Removes every world, for the next example. */
export async function clearWorlds(): Promise<void> {
  await removeRows();
  dispatchHere("sources", ""); // receivers forget the sources that they know
}

/** Of every person of every world. */
const PASSWORD_HASH = hashPassword("the example's password");

async function makePeople(name: string, workspaceId: WorkspaceId): Promise<void> {
  const canary = canaryOf(name);
  for (const [id, role] of [
    [`usr_${name}`, "owner"],
    [`usr_${name}_partner`, "owner"],
    [`usr_${name}_colleague`, "developer"],
  ] as const) {
    await prisma().user.create({ data: { id, email: `${id}.${canary}@example.com`, name: canary, passwordHash: await PASSWORD_HASH } });
    await prisma().membership.create({ data: { workspaceId, userId: id, role } });
  }
  await makeFactors(name, canaryOf(name));
  const expiresAt = new Date(Date.now() + 86_400_000);
  await prisma().invitation.create({
    data: { id: `inv_${name}`, workspaceId, tokenHash: `invitation of ${name}`, role: "viewer", createdBy: canary, expiresAt },
  });
  const idHash = `0123456789abcdef and more of ${name}`;
  await prisma().session.create({ data: { idHash, userId: `usr_${name}`, workspaceId, userAgent: canary, expiresAt } });
  await insertAudit(workspaceId, {
    action: "member.invited",
    who: { kind: "person", id: `usr_${name}`, name: canary, credential: null },
    target: { kind: "invitation", id: `inv_${name}`, name: canary },
    after: { role: "viewer" },
  });
  await prisma().apiKey.create({
    data: { id: `key_${name}`, workspaceId, name: canary, hint: "sbx_", keyHash: `hash of ${name}`, role: "viewer", createdBy: canary },
  });
}

/** Makes second factors of the owner and of the colleague, and a browser that is remembered. */
async function makeFactors(name: string, canary: string): Promise<void> {
  const times = { rememberedUntil: new Date(Date.now() + 86_400_000), userAgent: canary };
  await prisma().knownDevice.create({ data: { idHash: `device_${name}-of the tests`, userId: `usr_${name}`, ...times } });
  const owner = `usr_${name}`;
  const { sealed, keyId } = await seal("JBSWY3DPEHPK3PXP", { workspaceId: owner, table: "totp_factors", row: owner, field: "sealed" });
  await prisma().totpFactor.create({ data: { userId: owner, sealed, keyId, lastStep: 1, confirmedAt: new Date() } });
  for (const [id, userId] of [
    [`pky_${name}`, owner],
    [`pky_colleague_${name}`, `usr_${name}_colleague`],
  ] as const)
    await prisma().passkey.create({
      data: { id, userId, name: canary, credentialId: id, publicKey: Buffer.from("key"), counter: 0, transports: [] },
    });
}

async function makeConnection(name: string, workspaceId: WorkspaceId): Promise<void> {
  const id = `con_${name}`;
  const canary = canaryOf(name);
  const place = (field: string) => ({ workspaceId, table: "connection_tokens", row: id, field });
  const access = await seal(`access ${canary}`, place("access"));
  const refresh = await seal(`refresh ${canary}`, place("refresh"));
  const soon = new Date(Date.now() + 600_000);
  const common = {
    state: "connected",
    account: canary,
    connectedBy: canary,
    connectedAt: new Date(),
    accessExpiresAt: soon,
    nextRefreshAt: soon,
  };
  await prisma().connection.create({
    data: { id, workspaceId, name: canary, requiredScopes: ["documents:read"], grantedScopes: ["documents:read"], ...common, version: 1 },
  });
  await prisma().connectionTokens.create({
    data: { connectionId: id, workspaceId, accessSealed: access.sealed, refreshSealed: refresh.sealed, keyId: access.keyId, version: 1 },
  });
  await prisma().connectionHistory.create({ data: { workspaceId, connectionId: id, kind: "connected", detail: canary, actor: canary } });
}

/** Returns what each event of the example's log brings: together they make one view of each kind. */
const EVENTS = (name: string): [type: string, data: Record<string, unknown>][] => [
  ["document.processed", { documentId: `doc_${name}`, status: "completed", metadata: { fileName: `${canaryOf(name)}.pdf` } }],
  [
    "task.created",
    { taskId: `task_${name}`, title: canaryOf(name), pipelineId: `pipe_${name}`, pipelineName: canaryOf(name), stage: "Check" },
  ],
  ["automation.triggered", { automationId: `auto_${name}`, automationName: canaryOf(name), runId: `run_${name}`, trigger: canaryOf(name) }],
  ["integration.connected", { integrationId: `int_${name}`, provider: canaryOf(name), account: canaryOf(name) }],
  ["document.error", { documentId: `doc_${name}_bad`, error: { code: "unreadable", message: canaryOf(name) } }],
];

/** A secret that was replaced a day ago. */
async function addRetiredSecret(name: string, workspaceId: WorkspaceId, sourceId: string): Promise<void> {
  const id = `sec_retired_${name}`;
  const { sealed, keyId } = await seal(`${SECRET} before`, { workspaceId, table: "source_secrets", row: id, field: "sealed" });
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);
  const times = { createdAt: daysAgo(2), validUntil: daysAgo(1) };
  await prisma().sourceSecret.create({ data: { id, workspaceId, sourceId, sealed, keyId, ...times } });
}

/** Its sender has just brought its secret. */
async function makeLearningSource(name: string, workspaceId: WorkspaceId): Promise<void> {
  const [sourceId, id] = [`src_learning_${name}`, `sec_learning_${name}`];
  const learning = { until: new Date(Date.now() + 600_000).toISOString(), secretId: id };
  const scheme = { hmac: hmacSettings.parse({ header: "x-hook-signature" }), learning };
  await prisma().source.create({
    data: { id: sourceId, workspaceId, name: `learning-${name}`, template: "hmac", records: "none", scheme },
  });
  const { sealed, keyId } = await seal(`brought ${canaryOf(name)}`, { workspaceId, table: "source_secrets", row: id, field: "sealed" });
  await prisma().sourceSecret.create({ data: { id, workspaceId, sourceId, sealed, keyId } });
}

async function makeEvents(name: string, workspaceId: WorkspaceId): Promise<void> {
  const id = `src_${name}`;
  await prisma().source.create({ data: { id, workspaceId, name: `source-${name}` } });
  // The workspace's own can't be archived.
  await prisma().source.create({
    data: { id: `src_other_${name}`, workspaceId, name: `other-${name}`, template: "stripe", records: "none" },
  });
  const unknown = { template: "unknown", scheme: { unknown: { until: new Date(Date.now() + 600_000).toISOString() } } };
  await prisma().source.create({ data: { id: `src_unknown_${name}`, workspaceId, name: `unknown-${name}`, records: "none", ...unknown } });
  await makeLearningSource(name, workspaceId);
  const { sealed, keyId } = await seal(SECRET, { workspaceId, table: "source_secrets", row: `sec_${name}`, field: "sealed" });
  await prisma().sourceSecret.create({ data: { id: `sec_${name}`, workspaceId, sourceId: id, sealed, keyId } });
  await addRetiredSecret(name, workspaceId, id);
  dispatchHere("sources", workspaceId); // as the product does: a receiver of this process may know the sources by heart
  const receiver = createReceiver();
  for (const [index, [type, data]] of EVENTS(name).entries()) {
    const eventId = index === 0 ? `evt_${name}` : `evt_${name}_${index}`;
    const { body, headers } = signed(envelope({ id: eventId, type, data }));
    const request = { source: `source-${name}`, headers: { ...headers, "x-note": canaryOf(name) }, body };
    const { status } = await receiveUntilKept(receiver, request);
    if (status !== 200) throw new Error(`the example's webhook was answered ${status}`);
  }
  await receiver.outages.flush(); // what a 503 counted is in the world, and not written later
  await drainInbox();
  const [recordId, at] = [`source-${name}:customer:cus_${name}`, 1_760_000_000];
  const registers = { title: { v: canaryOf(name), at, rank: 0, id: `evt_${name}` } };
  await prisma().view.create({ data: { workspaceId, kind: "record", id: recordId, registers, state: "unknown", lastCreated: at } });
  await prisma().issue.create({
    data: {
      ...{ id: `iss_${name}`, workspaceId, origin: "processing", code: "missing_id", type: "document.processed", place: canaryOf(name) },
      ...{ words: canaryOf(name), firstSeenAt: new Date(), lastSeenAt: new Date(), sampleEventId: `evt_${name}` },
    },
  });
  await prisma().savedFilter.create({
    data: {
      ...{ id: `flt_${name}`, workspaceId, ownerId: `usr_${name}`, ownerName: canaryOf(name), name: canaryOf(name) },
      ...{ page: "events", filter: { state: ["failed"] } },
    },
  });
  await prisma().redelivery.create({
    data: { id: `red_${name}`, workspaceId, name: canaryOf(name), state: "queued", total: 1, requestedBy: canaryOf(name) },
  });
}

async function makeOperations(name: string, workspaceId: WorkspaceId): Promise<void> {
  const ended = { workspaceId, requestedBy: canaryOf(name), startedAt: new Date(), finishedAt: new Date() };
  await prisma().operation.create({ data: { ...ended, id: `reb_${name}`, kind: "rebuild", state: "done", dryRun: true } });
  const input = { filter: { source: canaryOf(name) } };
  await prisma().operation.create({ data: { ...ended, id: `rel_${name}`, kind: "release", state: "stopped", input } });
  const waiting = { workspaceId, requestedBy: canaryOf(name), input: { filter: {}, format: "ndjson" } };
  await prisma().operation.create({ data: { ...waiting, id: `exp_${name}`, kind: "export", state: "queued" } });
  await prisma().operation.create({ data: { ...ended, id: `rty_${name}`, kind: "retry", state: "done", input: { filter: {} } } });
}

/** A type with a field, an open drift and a line of history. */
async function makeEventType(name: string, workspaceId: WorkspaceId): Promise<void> {
  const id = `ety_${name}`;
  const ref = [`evt_${name}`, Date.now(), 1];
  const seen = { n: 1, first: ref, last: ref };
  const fields = {
    data: { ...seen, objects: 1, types: { object: seen }, formats: {}, values: null },
    "data.status": { ...seen, types: { string: seen }, formats: { text: seen }, values: {} },
  };
  await prisma().eventSchema.create({
    data: {
      ...{ id, workspaceId, sourceId: `src_${name}`, type: `example.${canaryOf(name)}`, events: 1, fields: 2 },
      tree: { events: 1, walked: 1, sizes: {}, full: false, maps: [], fields },
    },
  });
  await prisma().eventSchemaChange.create({
    data: { workspaceId, schemaId: id, kind: "field_appeared", path: "data.status", detail: canaryOf(name), eventId: `evt_${name}` },
  });
  const drift = { kind: "vanished", severity: "breaking", path: "data.status", outcome: "absent" };
  await prisma().eventSchemaDrift.create({
    data: { ...drift, id: `dft_${name}`, workspaceId, schemaId: id, expected: canaryOf(name), observed: canaryOf(name) },
  });
}

/** A request that was refused for a signature that verifies by now. */
async function makeRefused(name: string, workspaceId: WorkspaceId): Promise<void> {
  const body = envelope({ id: `evt_${name}_refused`, data: { documentId: `doc_${name}`, note: canaryOf(name) } });
  const refused = {
    workspaceId,
    sourceId: `src_${name}`,
    receivedAt: new Date(),
    reason: "signature_mismatch",
    detail: canaryOf(name),
    verified: false,
  };
  const bytes = Buffer.from(body);
  const headers = { "x-webhook-signature": sign(body), "x-note": canaryOf(name) };
  await prisma().quarantineEntry.create({ data: { id: `qua_${name}`, ...refused, body: bytes, bodyBytes: bytes.length, headers } });
}

/** A document that was processed and never uploaded. */
async function makeMissingEvent(name: string, workspaceId: WorkspaceId): Promise<void> {
  const about = { rule: "processed_never_uploaded", resourceKind: "document", resourceId: `doc_${name}`, evidence: [`evt_${name}`] };
  const when = { since: new Date(), dueAt: new Date(), openedAt: new Date() };
  await prisma().missingEvent.create({
    data: { id: `fnd_${name}`, workspaceId, state: "open", detail: canaryOf(name), ...about, ...when },
  });
}

/** A webhook that the sandbox platform waits to send, and a receiving app. No sender runs. */
async function makeSandbox(name: string, workspaceId: WorkspaceId): Promise<void> {
  const canary = canaryOf(name);
  await prisma().sandboxPlatform.create({ data: { workspaceId, source: `source-${name}` } });
  const sent = { eventId: `evt_sandbox_${name}`, type: "document.uploaded", body: Buffer.from(JSON.stringify({ note: canary })) };
  await prisma().sandboxDelivery.create({ data: { workspaceId, ...sent, scenario: canary, lastAnswer: canary } });
  const { sealed, keyId } = await seal(canary, {
    workspaceId,
    table: "sandbox_signing_secrets",
    row: `sec_sandbox_${name}`,
    field: "sealed",
  });
  await prisma().sandboxSigningSecret.create({ data: { id: `sec_sandbox_${name}`, workspaceId, sealed, keyId } });
  const grant = {
    clientId: "signalbox-sandbox",
    account: canary,
    scope: "documents:read",
    accessExpiresAt: new Date(Date.now() + 600_000),
  };
  const tokens = { accessHash: `access of ${name}`, refreshHash: `refresh of ${name}` };
  await prisma().sandboxGrant.create({ data: { id: `grant_${name}`, workspaceId, ...grant, ...tokens } });
  await prisma().sandboxReceiver.create({ data: { id: `rcv_${name}`, workspaceId } });
}

/** An active destination with a delivery, and a paused one; neither may be called. */
async function makeDestinations(name: string, workspaceId: WorkspaceId): Promise<void> {
  const canary = canaryOf(name);
  const common = { workspaceId, name: canary, mode: "signed", createdBy: canary };
  await prisma().destination.create({ data: { id: `dst_${name}`, url: `https://127.0.0.1/${canary}`, ...common } });
  await prisma().destination.create({ data: { id: `dst_${name}_paused`, url: `https://127.0.0.1/${canary}`, state: "paused", ...common } });
  for (const id of [`dst_${name}`, `dst_${name}_paused`]) {
    const { sealed, keyId } = await seal(`whsec_${canary}`, {
      workspaceId,
      table: "destination_secrets",
      row: `dsec_${id}`,
      field: "sealed",
    });
    await prisma().destinationSecret.create({ data: { id: `dsec_${id}`, workspaceId, destinationId: id, sealed, keyId } });
  }
  const { receivedAt, seq } = await prisma().eventKey.findFirstOrThrow({ where: { workspaceId, eventId: `evt_${name}` } });
  // Its id can't end in the world's name: the length of the name stands for it.
  const id = BigInt(1_000_000 + name.length);
  const event = { receivedAt, seq, eventId: `evt_${name}`, type: "document.processed", subject: `document:doc_${name}` };
  const fate = { state: "delivered", tries: 1, finishedAt: new Date(), lastCode: "delivered", lastText: canary };
  await prisma().forwardDelivery.create({ data: { id, workspaceId, destinationId: `dst_${name}`, ...event, ...fate } });
  await prisma().forwardAttempt.create({
    data: {
      ...{ workspaceId, destinationId: `dst_${name}`, deliveryId: id, number: 1, at: new Date(), outcome: "delivered", detail: canary },
      ...{ url: "https://127.0.0.1/", requestHeaders: { "x-note": canary }, status: 200, responseHeaders: {}, totalMs: 12 },
      responseBody: Buffer.from(canary),
    },
  });
}

async function makeAlert(name: string, workspaceId: WorkspaceId): Promise<void> {
  const canary = canaryOf(name);
  const id = `alc_${name}`;
  const { sealed, keyId } = await seal(`whsec_${canary}`, { workspaceId, table: "alert_channels", row: id, field: "sealed" });
  const channel = { kind: "webhook", name: canary, target: `https://127.0.0.1/${canary}`, sealed, keyId, createdBy: canary };
  await prisma().alertChannel.create({ data: { id, workspaceId, ...channel } });
  const words = { title: canary, detail: canary, path: `/issues/iss_${name}`, action: "View issue", count: 1, unit: "failures" };
  await prisma().alertEpisode.create({
    data: { id: `alr_${name}`, workspaceId, rule: "issue", subject: `iss_${name}`, ...words, notified: "open" },
  });
  const notification = await prisma().alertNotification.create({ data: { workspaceId, episodeId: `alr_${name}`, kind: "opened" } });
  const send = { channelId: id, notificationId: notification.id, state: "sent", attempts: 1, dueAt: new Date(), outcome: canary };
  await prisma().alertSend.create({ data: { workspaceId, ...send } });
}
