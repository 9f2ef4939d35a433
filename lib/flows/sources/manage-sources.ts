import { isDeepStrictEqual } from "node:util";
import type pg from "pg";
import type * as z from "zod/mini";
import { type Actor, actorName, authorize } from "#lib/auth/actor";
import type { Audit } from "#lib/auth/audit/audit";
import type { AuditAction } from "#lib/auth/audit/audit-entry";
import { env } from "#lib/config/env";
import { AppError, invalidField } from "#lib/contracts/api/app-error";
import { newId, type SourceId } from "#lib/contracts/api/ids";
import type { rotatedSecret, rotateSecretBody } from "#lib/contracts/auth/settings";
import { OF_CONNECTION } from "#lib/contracts/http-headers";
import { hmacSettings, type SchemeSettings } from "#lib/contracts/sources/scheme-settings";
import type { ChangeSourceBody, CreatedSource, CreateSourceBody, Source } from "#lib/contracts/sources/sources";
import { SENDER_ISSUES, SOURCE_TEMPLATES, type SourceTemplate, type SourceTemplateName } from "#lib/contracts/sources/templates";
import { notifyOnCommit } from "#lib/db/notifications";
import { inTransaction, pool } from "#lib/db/pool";
import { requestRelease } from "#lib/flows/quarantine/release-quarantined";
import { insertOperation } from "#lib/operations/operation-store";
import { AUTH_SCHEME, SETTING_NAME, UNSEEN } from "#lib/platform/diagnosis/variants";
import { sampleRequest } from "#lib/platform/schemes/sender-requests";
import { verifyTokenOf } from "#lib/platform/schemes/senders/challenges";
import { publicKey } from "#lib/platform/schemes/senders/standard-webhooks";
import { schemeOf, TEMPLATES } from "#lib/platform/schemes/templates";
import { isNetwork, LEARNING_MS } from "#lib/platform/schemes/unsigned-schemes";
import { holdsAny } from "#lib/quarantine/quarantine-store";
import { lockReadings } from "#lib/sources/reading-store";
import {
  addFirstSecret,
  assertRoom,
  findMainSource,
  insertSource,
  lockSourceSettings,
  rotateSecret,
  type SourceSettings,
  updateSourceSettings,
} from "#lib/sources/source-store";
import { newToken } from "#lib/vault/opaque-token";
import { readSource } from "./read-sources.ts";

export function listTemplates(): SourceTemplate[] {
  return SOURCE_TEMPLATES.map((name) => {
    const { title, scheme, takes, records, reading, secretHint, retries, docsUrl } = TEMPLATES[name];
    const generatesSecret = !SENDER_ISSUES.has(name);
    const { trust, headers, needsSecret } = scheme(takes === "hmac" ? { hmac: EXAMPLE_HMAC } : {});
    return { name, title, trust, headers: [...headers], needsSecret, records, reading, secretHint, generatesSecret, retries, docsUrl };
  });
}

/** Settings for the list of templates, where a source names its header. */
const EXAMPLE_HMAC = hmacSettings.parse({ header: "x-signature" });

/** Adds a source with its first secret, returned if it was generated. @throws AppError `invalid_request`, `conflict` for a taken name */
export async function createSource(actor: Actor, body: CreateSourceBody, audit: Audit, now: Date): Promise<CreatedSource> {
  const { workspaceId } = actor;
  const { name, template, records = TEMPLATES[template].records, record = null, reading = null } = body;
  checkScheme(template, body.scheme ?? {});
  checkHeaders(body.scheme ?? {});
  checkRecord({ records, record });
  const scheme = template === "unknown" ? learningFrom(now) : (body.scheme ?? {});
  const secret = secretFor({ template, scheme }, body.secret);
  const { id, notifyHere } = await inTransaction(pool(), async (client) => {
    const made = await insertSource(client, workspaceId, name, { template, scheme, reading, records, record });
    if (secret !== null) await addFirstSecret(client, workspaceId, made, secret, now);
    const after = { template, records, record, scheme, reading };
    await audit.record({ action: "source.created", target: { kind: "source", id: made, name }, after }, client);
    return { id: made, notifyHere: await notifyOnCommit(client, "sources", workspaceId) };
  });
  notifyHere();
  const source = await readSource(workspaceId, id);
  return {
    ...source,
    secret: body.secret === undefined ? secret : null,
    proof: proofCommand(source, secret ?? "", body.secret !== undefined, now),
    verifyToken: template === "meta" && secret !== null ? verifyTokenOf(secret) : null,
  };
}

const learningFrom = (now: Date): SchemeSettings => ({ unknown: { until: new Date(now.getTime() + LEARNING_MS).toISOString() } });

/** @throws AppError `invalid_request` for settings that the template doesn't take, or that it misses */
function checkScheme(template: SourceTemplateName, settings: SchemeSettings): void {
  const { takes } = TEMPLATES[template];
  const foreign = Object.keys(settings).find((key) => key !== takes);
  if (foreign !== undefined) throw invalidField(`scheme.${foreign}`, `is a setting of the template ${foreign}, not of ${template}.`);
  if ((takes === "hmac" || takes === "network" || takes === "sns") && settings[takes] === undefined)
    throw invalidField(`scheme.${takes}`, `the template ${template} requires it.`);
  const wrong = settings.network?.networks.find((network) => !isNetwork(network));
  if (wrong !== undefined)
    throw invalidField("scheme.network.networks", `${wrong} is not an IP address, or a network such as 10.0.0.0/8 and no wider.`);
}

/** Checks new headers only: a source that has such a header can still be changed otherwise. @throws AppError `invalid_request` */
function checkHeaders(settings: SchemeSettings): void {
  for (const [part, name] of headersOf(settings))
    if (name !== undefined && OF_CONNECTION.test(name))
      throw invalidField(
        `scheme.${part}`,
        `${name} is the connection's own header, which proxies set anew. Choose the header that the sender signs in.`,
      );
}

const headersOf = ({ hmac, token }: SchemeSettings): [part: string, name: string | undefined][] => [
  ["hmac.header", hmac?.header],
  ["hmac.timestampHeader", hmac?.timestampHeader],
  ["hmac.idHeader", hmac?.idHeader],
  ["token.header", token?.header],
];

/** Changes, archives, restores, pauses or resumes a source; a worker releases what a pause held. What was read before stays as it is until
 * it is re-delivered or rebuilt. @throws AppError `not_found`, `invalid_request`, `conflict`; `forbidden` for a retention */
export async function changeSource(actor: Actor, sourceId: SourceId, body: ChangeSourceBody, audit: Audit, now: Date): Promise<Source> {
  const { workspaceId } = actor;
  if (body.retentionDays !== undefined) authorize(actor, "retention.manage");
  const notifyHere = await inTransaction(pool(), async (client) => {
    await lockReadings(client);
    const before = await lockSourceSettings(client, workspaceId, sourceId);
    if (!before) throw new AppError("not_found", "There is no source with that ID.");
    assertMaySet(before, body);
    const after = changed(before, body, now);
    if (isDeepStrictEqual(after, before)) {
      audit.unchanged();
      return () => undefined;
    }
    checkScheme(after.template, after.scheme);
    checkHeaders(body.scheme ?? {});
    checkRecord(after);
    const secret = before.template === after.template ? null : secretOf(after, body.secret);
    if (after.archivedAt !== null && sourceId === (await findMainSource(workspaceId, env().WEBHOOK_SOURCE, client)))
      throw new AppError(
        "conflict",
        `${before.name} is the workspace's own source and can't be archived: the next start would create it again.`,
      );
    if (after.archivedAt === null && before.archivedAt !== null) await assertRoom(client, workspaceId);
    await updateSourceSettings(client, workspaceId, sourceId, after);
    if (secret !== null) await addFirstSecret(client, workspaceId, sourceId, secret, now);
    const target = { kind: "source", id: sourceId, name: before.name };
    await audit.record({ action: actionOf(before, after), target, before: auditedOf(before), after: auditedOf(after) }, client);
    if (before.pausedAt !== null && after.pausedAt === null && (await holdsAny(client, workspaceId, sourceId)))
      await requestRelease(actor, { filter: { source: before.name, reason: "source_paused" }, behind: true }, now, audit, client);
    if (!isDeepStrictEqual(recordsOf(before), recordsOf(after))) await rebuildRecords(client, actor);
    return notifyOnCommit(client, "sources", workspaceId);
  });
  notifyHere();
  return readSource(workspaceId, sourceId);
}

type Named = SourceSettings & { name: string };

/** Returns the most telling of several changes at once. */
function actionOf(before: Named, after: Named): AuditAction {
  if ((before.archivedAt === null) !== (after.archivedAt === null))
    return after.archivedAt === null ? "source.restored" : "source.archived";
  if ((before.pausedAt === null) !== (after.pausedAt === null)) return after.pausedAt === null ? "source.resumed" : "source.paused";
  return "source.changed";
}

function changed(before: Named, body: ChangeSourceBody, now: Date): Named {
  const { template, records, record, scheme, reading, archived, paused, learning, retentionDays, keepLate } = body;
  const made = records ?? (template ? TEMPLATES[template].records : before.records);
  return {
    ...before,
    template: template ?? before.template,
    records: made,
    // Settings of generic records are removed with them, unless the change sets them.
    record: record === undefined ? (made === "generic" ? before.record : null) : record,
    scheme: scheme ?? (template ? {} : learning ? learningFrom(now) : before.scheme),
    reading: reading === undefined ? before.reading : reading,
    archivedAt: since(before.archivedAt, archived, now),
    pausedAt: since(before.pausedAt, paused, now),
    retentionDays: retentionDays === undefined ? before.retentionDays : retentionDays,
    keepLate: keepLate ?? before.keepLate,
  };
}

const since = (before: Date | null, holds: boolean | undefined, now: Date): Date | null =>
  holds === undefined ? before : holds ? (before ?? now) : null;

/** @throws AppError `conflict` for what only an unknown sender's source takes; `invalid_request` for a secret without a template */
function assertMaySet({ name, template }: Named, { template: other, secret, learning }: ChangeSourceBody): void {
  if (template === "unknown" && secret !== undefined && other === undefined)
    throw new AppError("invalid_request", "secret: requires template. Send both.");
  if (template === "unknown") return;
  if (other !== undefined || learning)
    throw new AppError("conflict", `${name} is a source for ${TEMPLATES[template].title}. Add another source for another sender.`);
  if (secret !== undefined) throw new AppError("conflict", `${name} already has a sender. Rotate its secret instead.`);
}

/** Returns the secret of a new template. @throws AppError `invalid_request` where it is missing: this answer can't show a generated one */
function secretOf(sender: Named, given: string | undefined): string | null {
  if (given === undefined && schemeOf(sender.template, sender.scheme).needsSecret)
    throw new AppError("invalid_request", "secret: Paste the secret that the sender signs with.");
  return secretFor(sender, given);
}

const auditedOf = ({ template, scheme, reading, records, record, retentionDays, keepLate }: Named) => ({
  template,
  scheme,
  reading,
  records,
  record,
  retentionDays,
  keepLate,
});

/** @throws AppError `invalid_request` for generic records without a description, and for a description of others */
function checkRecord({ records, record }: Pick<SourceSettings, "records" | "record">): void {
  if (records === "generic" && record === null)
    throw new AppError("invalid_request", "record: generic records require a kind and the path of their ID.");
  if (records !== "generic" && record !== null)
    throw new AppError("invalid_request", `record is a setting of generic records; this source's are ${records}.`);
}

/** Returns what decides on the records; where data is read elsewhere, generic records change too. */
const recordsOf = ({ records, record, reading }: Named) => ({ records, record, reading: record && reading });

/** Queues behind a rebuild that runs or waits: it may have begun with the settings before. */
const rebuildRecords = (client: pg.PoolClient, actor: Actor) =>
  insertOperation(actor.workspaceId, { kind: "rebuild", requestedBy: actorName(actor), behind: true }, client);

const NOT_SHOWN = "YOUR SECRET, AS THE SENDER SENDS IT";

/** Returns a curl command that sends an event as the sender would; empty where only the sender can sign.
 * @param given the secret was entered by a person: it is not shown again */
function proofCommand({ url, template, scheme: settings, reading }: Source, secret: string, given: boolean, now: Date): string {
  const scheme = schemeOf(template, settings);
  if (scheme.onlySenderSigns?.(secret)) return "";
  const id = newId("evt_test");
  const shown = given ? NOT_SHOWN : secret;
  const { body, headers } = sampleRequest({ template, reading: reading ?? TEMPLATES[template].reading, secret: shown }, id, now);
  const signature = scheme.sign({ body: Buffer.from(body), secret, url, id, now });
  if (given && scheme.secretHeader !== undefined) signature[scheme.secretHeader] = NOT_SHOWN;
  const lines = Object.entries({ ...headers, ...signature }).map(([name, value]) => `  -H ${quoted(`${name}: ${value}`)}`);
  return [`curl -i ${quoted(url)}`, ...lines, `  --data-binary ${quoted(body)}`].join(" \\\n");
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/** Rotates a secret; the one before verifies on for the overlap. Only a generated one is returned.
 * @throws AppError `not_found`, `conflict`, `invalid_request` for a secret that the sender can't have */
export async function rotateSourceSecret(
  { workspaceId }: Actor,
  source: SourceId,
  { overlapHours, secret: given }: z.infer<typeof rotateSecretBody>,
  now: Date,
  audit: Audit,
): Promise<z.infer<typeof rotatedSecret>> {
  const made = secretFor(await readSource(workspaceId, source), given);
  if (made === null) throw new AppError("invalid_request", "This source has no secret that could be rotated.");
  const { id, name, previousId, previousValidUntil } = await rotateSecret(workspaceId, source, overlapHours, now, made);
  const endsAt = previousValidUntil.toISOString();
  await audit.record({
    action: "secret.rotated",
    target: { kind: "source", id: source, name },
    before: { active: previousId },
    after: { active: id, previousEndsAt: endsAt, given: given !== undefined },
  });
  return { id, secret: given === undefined ? made : null, previousValidUntil: endsAt };
}

type Sender = { template: SourceTemplateName; scheme: SchemeSettings };

const BASE64_KEYS: ReadonlySet<SourceTemplateName> = new Set(["standard-webhooks", "svix", "gitlab"]);

/** Returns the given secret, or a generated one; null for a sender without. @throws AppError `invalid_request` for an impossible one */
function secretFor({ template, scheme }: Sender, given: string | undefined): string | null {
  if (!schemeOf(template, scheme).needsSecret) {
    if (given !== undefined) throw invalidField("secret", `the template ${template} has none.`);
    return null;
  }
  const inBase64 = BASE64_KEYS.has(template) || scheme.hmac?.key === "base64";
  if (given !== undefined) return checked(template, given, inBase64);
  const { title, secretHint } = TEMPLATES[template];
  if (SENDER_ISSUES.has(template)) throw invalidField("secret", `${title} issues it. ${secretHint}`);
  return inBase64 ? `whsec_${Buffer.from(newToken()).toString("base64")}` : newToken();
}

/** @throws AppError `invalid_request` for a secret with more than itself: it would never match */
function assertBare(template: SourceTemplateName, secret: string): void {
  const [unseen] = UNSEEN.exec(secret) ?? [];
  if (unseen !== undefined) {
    const code = unseen.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0");
    throw invalidField("secret", `contains a character that can't be seen (U+${code}). Copy it again, or type it.`);
  }
  // A token's header may hold the scheme with it.
  const before = SETTING_NAME.exec(secret) ?? (template === "token" ? null : AUTH_SCHEME.exec(secret));
  if (before !== null) throw invalidField("secret", `begins with ${before[0].trim()}, which is not part of it. Paste only what follows.`);
}

function checked(template: SourceTemplateName, secret: string, inBase64: boolean): string {
  assertBare(template, secret);
  if (template === "standard-webhooks" && secret.startsWith("whpk_")) {
    if (publicKey(secret) === null) throw invalidField("secret", "a public key must be whpk_ followed by 32 bytes in base64.");
    return secret;
  }
  if (inBase64 && !/^((v1,)?whsec_)?[A-Za-z0-9+/_-]{16,}={0,2}$/.test(secret))
    throw invalidField("secret", "paste the whole secret. It begins with whsec_, or is base64 of at least 16 characters.");
  if (template === "basic" && !secret.includes(":")) throw invalidField("secret", "must be user:password.");
  return secret;
}
