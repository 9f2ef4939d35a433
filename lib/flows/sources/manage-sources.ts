import { isDeepStrictEqual } from "node:util";
import type pg from "pg";
import { type Actor, actorName, authorize } from "#lib/auth/actor";
import type { Audit } from "#lib/auth/audit/audit";
import type { AuditAction } from "#lib/auth/audit/audit-entry";
import { env } from "#lib/config/env";
import { AppError, invalidField } from "#lib/contracts/api/app-error";
import { newId, type SourceId } from "#lib/contracts/api/ids";
import { hmacSettings, type SchemeSettings } from "#lib/contracts/sources/scheme-settings";
import type { ChangeSourceBody, CreatedSource, CreateSourceBody, Source } from "#lib/contracts/sources/sources";
import { SENDER_ISSUES, SOURCE_TEMPLATES, type SourceTemplate, type SourceTemplateName } from "#lib/contracts/sources/templates";
import { notifyOnCommit } from "#lib/db/notifications";
import { inTransaction, pool } from "#lib/db/pool";
import { requestRelease } from "#lib/flows/quarantine/release-in-background";
import { insertOperation } from "#lib/operations/operation-store";
import { CONNECTION } from "#lib/platform/schemes/kept-request";
import { sampleRequest } from "#lib/platform/schemes/sender-requests";
import { verifyTokenOf } from "#lib/platform/schemes/senders/challenges";
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
  type SourceSettings,
  updateSourceSettings,
} from "#lib/sources/source-store";
import { readSource } from "./read-sources.ts";
import { secretFor } from "./source-secrets.ts";

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
    if (name !== undefined && CONNECTION.test(name))
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

/** @throws AppError `conflict` while a rebuild runs: it began with the settings before */
async function rebuildRecords(client: pg.PoolClient, actor: Actor): Promise<void> {
  const { outcome } = await insertOperation(actor.workspaceId, { kind: "rebuild", requestedBy: actorName(actor) }, client);
  if (outcome === "busy") throw new AppError("conflict", "The records are being rebuilt. Try again when the rebuild has finished.");
}

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
