import { isDeepStrictEqual } from "node:util";
import type * as z from "zod/mini";
import { actorName, authorize } from "#lib/auth/actor";
import type { Context } from "#lib/auth/audit/audit";
import type { AuditAction } from "#lib/auth/audit/audit-entry";
import { env } from "#lib/config/env";
import { AppError, expectFound, invalidField } from "#lib/contracts/api/app-error";
import { newId, type SourceId } from "#lib/contracts/api/ids";
import type { rotatedSecret, rotateSecretBody } from "#lib/contracts/auth/settings";
import { OF_CONNECTION } from "#lib/contracts/http-headers";
import { hmacSettings, jwtSettings, type SchemeSettings } from "#lib/contracts/sources/scheme-settings";
import type { ChangeSourceBody, CreatedSource, CreateSourceBody, Source } from "#lib/contracts/sources/sources";
import { SOURCE_TEMPLATES, type SourceTemplate, type SourceTemplateName } from "#lib/contracts/sources/templates";
import { notifyOnCommit } from "#lib/db/notifications";
import { inTransaction, pool } from "#lib/db/pool";
import { requestRelease } from "#lib/flows/quarantine/release-quarantined";
import { insertOperation } from "#lib/operations/operation-store";
import { AUTH_SCHEME, SETTING_NAME, UNSEEN } from "#lib/platform/diagnosis/variants";
import { signsForStrangers, signsTexts, verifyTokenOf } from "#lib/platform/schemes/challenges";
import { type KeyKind, publicKeyOf } from "#lib/platform/schemes/public-key";
import type { Scheme } from "#lib/platform/schemes/scheme";
import { sampleRequest } from "#lib/platform/schemes/sender-requests";
import { PUBLIC_PREFIX } from "#lib/platform/schemes/senders/standard-webhooks";
import { challengesOf, isBasic, schemeOf, TEMPLATES } from "#lib/platform/schemes/templates";
import { isNetwork, LEARNING_MS } from "#lib/platform/schemes/unsigned-schemes";
import { holdsAny } from "#lib/quarantine/quarantine-store";
import { lockReadings } from "#lib/sources/reading-store";
import { takeBroughtSecret } from "#lib/sources/sender-fetch-store";
import {
  addFirstSecret,
  assertRoom,
  findMainSource,
  insertSource,
  lockSourceSettings,
  type NamedSource,
  rotateSecret,
  type SourceSettings,
  updateSourceSettings,
} from "#lib/sources/source-store";
import { newToken } from "#lib/vault/opaque-token";
import { readSource } from "./read-sources.ts";

export function listTemplates(): SourceTemplate[] {
  return SOURCE_TEMPLATES.map((name) => {
    const { title, scheme, takes = null, records, record = null, reading, secretHint, retries, docsUrl, ...known } = TEMPLATES[name];
    const { retryHours = null, answerWithin = null, issuesSecret = false, proof = null, facts = [], unchecked = [] } = known;
    const { trust, covers = [], headers, needsSecret } = scheme(takes === "hmac" || takes === "jwt" ? EXAMPLES : {});
    const said = { retries, retryHours, answerWithin, takes, docsUrl, proof, facts: [...facts], unchecked: [...unchecked] };
    const made = {
      records,
      record,
      reading,
      secretHint,
      generatesSecret: issuesSecret !== true,
      bringsSecret: bringsSecret({ template: name, scheme: {} }),
    };
    return { name, title, trust, covers: [...covers], headers: [...headers], needsSecret, ...made, ...said };
  });
}

/** Settings for the list of templates, where a source names its header. */
const EXAMPLES: SchemeSettings = {
  hmac: hmacSettings.parse({ header: "x-signature" }),
  jwt: jwtSettings.parse({ header: "x-signature", algorithm: "RS256", bodyClaim: "body_sha256" }),
};

/** Adds a source with its first secret, returned if it was generated. @throws AppError `invalid_request`, `conflict` for a taken name */
export async function createSource({ workspaceId, now, audit }: Context, body: CreateSourceBody): Promise<CreatedSource> {
  const { name, template, records = TEMPLATES[template].records, record = null, reading = null } = body;
  checkScheme(template, body.scheme ?? {});
  checkHeaders(body.scheme ?? {});
  checkRecord({ template, records, record });
  const given = body.scheme ?? {};
  const secret = secretFor({ template, scheme: given }, body.secret);
  const waits = secret === null && bringsSecret({ template, scheme: given });
  const scheme = template === "unknown" ? learningFrom(now) : waits ? { ...given, ...awaitingFrom(now) } : given;
  const id = await inTransaction(pool(), async (client) => {
    const made = await insertSource(client, workspaceId, name, { template, scheme, reading, records, record });
    if (secret !== null) await addFirstSecret(client, workspaceId, made, secret, now);
    const after = { template, records, record, scheme, reading };
    await audit.record({ action: "source.created", target: { kind: "source", id: made, name }, after }, client);
    await notifyOnCommit(client, "sources", workspaceId);
    return made;
  });
  const source = await readSource(workspaceId, id);
  return {
    ...source,
    secret: body.secret === undefined ? secret : null,
    proof: proofCommand(source, secret ?? "", body.secret !== undefined, now),
    verifyToken: secret !== null && asksForToken(template, scheme) ? verifyTokenOf(secret) : null,
  };
}

const untilFrom = (now: Date) => ({ until: new Date(now.getTime() + LEARNING_MS).toISOString() });
const learningFrom = (now: Date): SchemeSettings => ({ unknown: untilFrom(now) });
/** For a while the sender may bring its secret, or ask while nobody knows it. */
const awaitingFrom = (now: Date): SchemeSettings => ({ learning: untilFrom(now) });

const bringsSecret = ({ template, scheme }: Sender): boolean =>
  challengesOf(template, scheme).some(({ learning }) => learning !== undefined);

const asksForToken = (template: SourceTemplateName, scheme: SchemeSettings): boolean =>
  challengesOf(template, scheme).some(({ verifyToken }) => verifyToken !== undefined);

/** Senders that a person describes: what they ask may be described too. */
const DESCRIBED: ReadonlySet<SourceTemplateName> = new Set(["hmac", "jwt", "token", "basic", "network"]);

/** @throws AppError `invalid_request` for settings that the template doesn't take, or that it misses */
function checkScheme(template: SourceTemplateName, settings: SchemeSettings): void {
  const { takes } = TEMPLATES[template];
  const allowed = [takes, "learning", ...(DESCRIBED.has(template) ? ["challenges", "answer"] : [])];
  const foreign = Object.keys(settings).find((key) => !allowed.includes(key));
  if (foreign === "challenges" || foreign === "answer")
    throw invalidField(`scheme.${foreign}`, `is a setting of senders that are described by hand; what ${template} asks is known.`);
  if (foreign !== undefined) throw invalidField(`scheme.${foreign}`, `is a setting of the template ${foreign}, not of ${template}.`);
  if ((takes === "hmac" || takes === "network" || takes === "sns" || takes === "jwt") && settings[takes] === undefined)
    throw invalidField(`scheme.${takes}`, `the template ${template} requires it.`);
  assertSignsNoEvent(template, settings);
  const wrong = settings.network?.networks.find((network) => !isNetwork(network));
  if (wrong !== undefined)
    throw invalidField("scheme.network.networks", `${wrong} is not an IP address, or a network such as 10.0.0.0/8 and no wider.`);
}

/**
 * A challenge may have a text signed for anyone, or, where only fields prove it, for who changes the others: no such text may be what an
 * event is proved by. @throws AppError `invalid_request`
 */
function assertSignsNoEvent(template: SourceTemplateName, settings: SchemeSettings): void {
  const challenges = challengesOf(template, settings);
  if (!signsTexts(challenges)) return;
  const { trust } = schemeOf(template, settings);
  if (trust === "partly" || (trust !== "signed" && signsForStrangers(challenges)))
    throw invalidField("scheme.challenges", "an answer by HMAC needs a signature that covers the whole body of each event.");
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

const headersOf = ({ hmac, token, jwt }: SchemeSettings): [part: string, name: string | undefined][] => [
  ["hmac.header", hmac?.header],
  ...(hmac?.moreHeaders ?? []).map((name): [string, string] => ["hmac.moreHeaders", name]),
  ["jwt.header", jwt?.header],
  ["hmac.timestampHeader", hmac?.timestampHeader],
  ["hmac.idHeader", hmac?.idHeader],
  ["token.header", token?.header],
];

/** Changes, archives, restores, pauses or resumes a source; a worker releases what a pause held. What was read before stays as it is until
 * it is re-delivered or rebuilt. @throws AppError `not_found`, `invalid_request`, `conflict`; `forbidden` for a retention */
export async function changeSource(context: Context, sourceId: SourceId, body: ChangeSourceBody): Promise<Source> {
  const { workspaceId, actor, now, audit } = context;
  if (body.retentionDays !== undefined) authorize(actor, "retention.manage");
  await inTransaction(pool(), async (client) => {
    await lockReadings(client);
    const before = await expectFound(lockSourceSettings(client, workspaceId, sourceId), "source with that ID");
    assertMaySet(before, body);
    const after = changed(before, body, now);
    if (isDeepStrictEqual(after, before)) return audit.unchanged();
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
      await requestRelease(context, { filter: { source: before.name, reason: "source_paused" }, behind: true }, client);
    // Queued behind a rebuild that runs or waits: it may have begun with the settings before.
    if (!isDeepStrictEqual(recordsOf(before), recordsOf(after)))
      await insertOperation(workspaceId, { kind: "rebuild", requestedBy: actorName(actor), behind: true }, client);
    await notifyOnCommit(client, "sources", workspaceId);
  });
  return readSource(workspaceId, sourceId);
}

/** Returns the most telling of several changes at once. */
function actionOf(before: NamedSource, after: NamedSource): AuditAction {
  if ((before.archivedAt === null) !== (after.archivedAt === null))
    return after.archivedAt === null ? "source.restored" : "source.archived";
  if ((before.pausedAt === null) !== (after.pausedAt === null)) return after.pausedAt === null ? "source.resumed" : "source.paused";
  return "source.changed";
}

function changed(before: NamedSource, body: ChangeSourceBody, now: Date): NamedSource {
  const { template, records, record, scheme, reading, archived, paused, learning, retentionDays, keepLate } = body;
  const made = records ?? (template ? TEMPLATES[template].records : before.records);
  return {
    ...before,
    template: template ?? before.template,
    records: made,
    // Settings of records are removed with them, unless the change sets them.
    record: record === undefined ? (made === before.records ? before.record : null) : record,
    scheme: scheme ?? (template ? {} : learning ? learningAgain(before, now) : before.scheme),
    reading: reading === undefined ? before.reading : reading,
    archivedAt: since(before.archivedAt, archived, now),
    pausedAt: since(before.pausedAt, paused, now),
    retentionDays: retentionDays === undefined ? before.retentionDays : retentionDays,
    keepLate: keepLate ?? before.keepLate,
  };
}

const learningAgain = ({ template, scheme }: NamedSource, now: Date): SchemeSettings =>
  template === "unknown" ? learningFrom(now) : { ...scheme, ...awaitingFrom(now) };

const since = (before: Date | null, holds: boolean | undefined, now: Date): Date | null =>
  holds === undefined ? before : holds ? (before ?? now) : null;

/** @throws AppError `conflict` for what only an unknown sender's source takes; `invalid_request` for a secret without a template */
function assertMaySet({ name, template, scheme }: NamedSource, { template: other, secret, learning }: ChangeSourceBody): void {
  if (template === "unknown" && secret !== undefined && other === undefined)
    throw new AppError("invalid_request", "secret: requires template. Send both.");
  if (template === "unknown") return;
  if (other !== undefined || (learning && !bringsSecret({ template, scheme })))
    throw new AppError("conflict", `${name} is a source for ${TEMPLATES[template].title}. Add another source for another sender.`);
  if (secret !== undefined) throw new AppError("conflict", `${name} already has a sender. Rotate its secret instead.`);
}

/** Returns the secret of a new template. @throws AppError `invalid_request` where it is missing: this answer can't show a generated one */
function secretOf(sender: NamedSource, given: string | undefined): string | null {
  if (given === undefined && schemeOf(sender.template, sender.scheme).needsSecret)
    throw new AppError("invalid_request", "secret: Paste the secret that the sender signs with.");
  return secretFor(sender, given);
}

const auditedOf = ({ template, scheme, reading, records, record, retentionDays, keepLate }: NamedSource) => ({
  template,
  scheme,
  reading,
  records,
  record,
  retentionDays,
  keepLate,
});

/** @throws AppError `invalid_request` for records that neither the source nor its template describes, and for a description of others */
function checkRecord({ template, records, record }: Pick<SourceSettings, "template" | "records" | "record">): void {
  const isDescribed = records === "generic" || records === "documents";
  const known = TEMPLATES[template].records === records ? TEMPLATES[template].record : undefined;
  if (isDescribed && record === null && known === undefined)
    throw new AppError("invalid_request", `record: ${records} records require a kind and the path of their ID.`);
  if (!isDescribed && record !== null)
    throw new AppError("invalid_request", `record is a setting of generic records and of documents; this source's are ${records}.`);
  if (records === "documents" && record !== null && record.kind !== "document")
    throw invalidField("record.kind", "of documents is document.");
}

/** Returns what decides on the records; where data is read elsewhere, those of a sender's events change too. What rows say decides nothing. */
const recordsOf = ({ records, record, reading }: NamedSource) => ({
  records,
  record,
  reading: (records === "generic" || records === "documents") && reading ? { ...reading, about: undefined } : null,
});

/** Shows the secret that the sender brought, once: some want it entered at the sender. @throws AppError `not_found` if there is none to show */
export async function showVerificationToken({ workspaceId, now, audit }: Context, sourceId: SourceId): Promise<{ token: string }> {
  return inTransaction(pool(), async (client) => {
    const brought = await expectFound(
      takeBroughtSecret(client, { workspaceId, sourceId }, now),
      "token to show: none has come, it was shown already, or ten minutes have passed",
    );
    const target = { kind: "source", id: sourceId, name: brought.sourceName };
    await audit.record({ action: "secret.shown", target, after: { active: brought.secretId } }, client);
    return { token: brought.secret };
  });
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
  const toSign = { body: Buffer.from(body), secret, url, id, now };
  const signature = scheme.sign(toSign);
  const signedUrl = scheme.signUrl?.(toSign) ?? url;
  if (given && scheme.secretHeader !== undefined) signature[scheme.secretHeader] = NOT_SHOWN;
  const lines = Object.entries({ ...headers, ...signature }).map(([name, value]) => `  -H ${quoted(`${name}: ${value}`)}`);
  return [`curl -i ${quoted(signedUrl)}`, ...lines, `  --data-binary ${quoted(body)}`].join(" \\\n");
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/** Rotates a secret; the one before verifies on for the overlap. Only a generated one is returned.
 * @throws AppError `not_found`, `conflict`, `invalid_request` for a secret that the sender can't have */
export async function rotateSourceSecret(
  { workspaceId, now, audit }: Context,
  source: SourceId,
  { overlapHours, secret: given }: z.infer<typeof rotateSecretBody>,
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

/** Returns the given secret, or a generated one; null for a sender without, or one that brings it later. @throws AppError `invalid_request` for an impossible one */
function secretFor({ template, scheme }: Sender, given: string | undefined): string | null {
  const signing = schemeOf(template, scheme);
  const { needsSecret, publicKey, keyForm } = signing;
  if (!needsSecret) {
    if (given !== undefined) throw invalidField("secret", `the template ${template} has none.`);
    return null;
  }
  if (given !== undefined) return checked(template, given, signing);
  if (bringsSecret({ template, scheme })) return null;
  const { title, secretHint, issuesSecret } = TEMPLATES[template];
  if (issuesSecret === true) throw invalidField("secret", `${title} issues it. ${secretHint}`);
  if (publicKey !== undefined) throw invalidField("secret", "paste the sender's public key: it signs with its own.");
  const made = Buffer.from(newToken());
  return keyForm === "base64" ? `whsec_${made.toString("base64")}` : keyForm === "hex" ? made.toString("hex") : made.toString();
}

const KEY_WORDS: Record<KeyKind, string> = { ed25519: "Ed25519", "ecdsa-p256": "ECDSA P-256", rsa: "RSA, 2,048 bits or more" };

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

function checked(template: SourceTemplateName, secret: string, { publicKey, keyForm }: Pick<Scheme, "publicKey" | "keyForm">): string {
  assertBare(template, secret);
  if (template === "standard-webhooks" && secret.startsWith(PUBLIC_PREFIX)) {
    if (publicKeyOf(secret, "ed25519") === null) throw invalidField("secret", "a public key must be whpk_ followed by 32 bytes in base64.");
    return secret;
  }
  if (publicKey !== undefined && publicKeyOf(secret, publicKey) === null)
    throw invalidField("secret", `paste the sender's public key (${KEY_WORDS[publicKey]}) as PEM, as a JWK, or in base64 or hexadecimal.`);
  if (keyForm === "hex" && !/^([0-9a-f]{2}){8,}$/i.test(secret))
    throw invalidField("secret", "paste the whole secret: at least 16 hexadecimal digits.");
  if (keyForm === "base64" && !/^((v1,)?whsec_)?[A-Za-z0-9+/_-]{16,}={0,2}$/.test(secret))
    throw invalidField("secret", "paste the whole secret. It begins with whsec_, or is base64 of at least 16 characters.");
  if (isBasic(template) && !secret.includes(":")) throw invalidField("secret", "must be user:password.");
  return secret;
}
