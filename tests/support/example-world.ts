import { insertAudit } from "#lib/auth/audit-store";
import { hashPassword } from "#lib/auth/password";
import { workspaceId as toWorkspaceId, type WorkspaceId } from "#lib/contracts/ids";
import { pool } from "#lib/db/pool";
import { prisma } from "#lib/db/prisma";
import { processEvents } from "#lib/flows/process-events";
import { receiveWebhook, resetReceiver } from "#lib/flows/receive-webhook";
import { seal } from "#lib/vault/vault";
import { openSession } from "./account.ts";
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
  const workspaceId = toWorkspaceId.parse(`wsp_${name}`);
  const userId = `usr_${name}`;
  const canary = canaryOf(name);
  await prisma().workspace.create({ data: { id: workspaceId, name: canary } });
  await makePeople(name, workspaceId);
  await makeConnection(name, workspaceId);
  await makeEvents(name, workspaceId);
  await makeRefused(name, workspaceId);
  await makeRebuild(name, workspaceId);
  await makeFinding(name, workspaceId);
  const world = { name, workspaceId, userId, cookie: (await openSession(workspaceId, userId)).cookie };
  return world;
}

/** Removes every world, for the next example. */
export async function clearWorlds(): Promise<void> {
  const { rows } = await pool().query<{ name: string }>(
    `SELECT format('%I.%I', schemaname, relname) AS name FROM pg_stat_user_tables
      WHERE schemaname = 'public' AND relname NOT LIKE '%migrations%' AND relname NOT LIKE 'events_%' AND relname <> 'audit_entries'`,
  );
  await pool().query(`TRUNCATE ${rows.map((row) => row.name).join(", ")} CASCADE`);
  resetReceiver();
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

/** What each event of the example's log brings: together they make one view of each kind. */
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

async function makeEvents(name: string, workspaceId: WorkspaceId): Promise<void> {
  const id = `src_${name}`;
  await prisma().source.create({ data: { id, workspaceId, name: `source-${name}` } });
  const { sealed, keyId } = await seal(SECRET, { workspaceId, table: "source_secrets", row: `sec_${name}`, field: "sealed" });
  await prisma().sourceSecret.create({ data: { id: `sec_${name}`, workspaceId, sourceId: id, sealed, keyId } });
  for (const [index, [type, data]] of EVENTS(name).entries()) {
    const eventId = index === 0 ? `evt_${name}` : `evt_${name}_${index}`;
    const { body, headers } = signed(envelope({ id: eventId, type, data }));
    const request = { source: `source-${name}`, method: "POST", headers: { ...headers, "x-note": canaryOf(name) }, remoteAddress: null };
    const { status } = await receiveWebhook({ ...request, body: Buffer.from(body) });
    if (status !== 200) throw new Error(`the example's webhook was answered ${status}`);
  }
  while ((await processEvents()) > 0);
  await prisma().issue.create({
    data: {
      ...{ id: `iss_${name}`, workspaceId, origin: "processing", code: "missing_id", type: "document.processed", place: canaryOf(name) },
      ...{ words: canaryOf(name), firstSeenAt: new Date(), lastSeenAt: new Date(), sampleEventId: `evt_${name}` },
    },
  });
  await prisma().redelivery.create({
    data: { id: `red_${name}`, workspaceId, name: canaryOf(name), state: "running", total: 1, requestedBy: canaryOf(name) },
  });
}

async function makeRebuild(name: string, workspaceId: WorkspaceId): Promise<void> {
  await prisma().viewRebuild.create({
    data: {
      id: `reb_${name}`,
      workspaceId,
      state: "done",
      dryRun: true,
      requestedBy: canaryOf(name),
      startedAt: new Date(),
      finishedAt: new Date(),
    },
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
async function makeFinding(name: string, workspaceId: WorkspaceId): Promise<void> {
  const about = { rule: "processed_never_uploaded", resourceKind: "document", resourceId: `doc_${name}`, evidence: [`evt_${name}`] };
  const when = { since: new Date(), dueAt: new Date(), openedAt: new Date() };
  await prisma().finding.create({ data: { id: `fnd_${name}`, workspaceId, state: "open", detail: canaryOf(name), ...about, ...when } });
}
