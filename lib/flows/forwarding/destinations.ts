import type pg from "pg";
import { type Actor, actorName, mayDo } from "#lib/auth/actor";
import type { AuditChange, Context } from "#lib/auth/audit/audit";
import { RETENTION } from "#lib/auth/audit/audit-entry";
import { insertAudit } from "#lib/auth/audit/audit-store";
import { AppError, expectFound, invalidField } from "#lib/contracts/api/app-error";
import { newId, type WorkspaceId } from "#lib/contracts/api/ids";
import { attemptOutcome } from "#lib/contracts/forwarding/deliveries";
import {
  type ChangeDestinationBody,
  type CreateDestinationBody,
  type CreatedDestination,
  type Destination,
  destination,
  type HeldChoice,
} from "#lib/contracts/forwarding/destinations";
import { enterAgainWords, leadsElsewhere } from "#lib/contracts/forwarding/entered-again";
import { findHeaderProblem, type GivenHeader, type OwnHeader, sameName } from "#lib/contracts/forwarding/own-headers";
import { assertEnteredAgain } from "#lib/contracts/forwarding/target-secrets";
import { maskedUrl } from "#lib/contracts/safe-urls";
import { answered } from "#lib/db/columns";
import { lockCount } from "#lib/db/locks";
import { notifyOnCommit } from "#lib/db/notifications";
import { inTransaction, pool } from "#lib/db/pool";
import { settleDestination } from "#lib/flows/issues/record-undelivered";
import { fixOf } from "#lib/forwarding/attempt/outcomes";
import { newSigningSecret } from "#lib/forwarding/attempt/outgoing-request";
import { checkTarget } from "#lib/forwarding/check-target";
import { finishHeld, giveUpHeld } from "#lib/forwarding/delivery-store";
import {
  countDestinations,
  type DestinationSettings,
  findDestination,
  insertDestination,
  insertSecret,
  type LockedDestination,
  listDestinations,
  lockDestination,
  markDestinationDeleted,
  replaceSecrets,
  type StoredDestination,
  setDestinationState,
  updateDestination,
} from "#lib/forwarding/destination-store";
import { findOwnHeaders, openOwnHeaders, putOwnHeaders } from "#lib/forwarding/own-headers-store";
import { type SourceSender, setHeaders, whyNotReSigned } from "#lib/platform/schemes/sender-requests";
import { listSenders, listSourceNames } from "#lib/sources/source-store";
import { isVaultError } from "#lib/vault/vault";

export async function readDestinations(workspaceId: WorkspaceId): Promise<Destination[]> {
  const [stored, names] = await Promise.all([listDestinations(workspaceId), listSourceNames(workspaceId)]);
  return stored.map((each) => destinationOf(each, names));
}

export async function readDestination(workspaceId: WorkspaceId, id: string): Promise<Destination | null> {
  const [stored, names] = await Promise.all([findDestination(workspaceId, id), listSourceNames(workspaceId)]);
  return stored && destinationOf(stored, names);
}

export const getDestination = (workspaceId: WorkspaceId, id: string): Promise<Destination> =>
  expectFound(readDestination(workspaceId, id), NO_DESTINATION);

export const shownDestination = (actor: Actor, shown: Destination): Destination =>
  mayDo(actor, "destinations.manage") ? shown : { ...shown, url: maskedUrl(shown.url) };

function destinationOf(stored: StoredDestination, names: Map<string, string>): Destination {
  return answered(destination, {
    ...stored,
    sources: stored.sourceIds.flatMap((sourceId) => names.get(sourceId) ?? []),
    headers: stored.headerNames.map((name) => ({ name })),
    reason: stored.stateReason,
    nextProbeAt: stored.probeAt,
    lastDay: { delivered: stored.dayDelivered, failed: stored.dayFailed },
    lastFailure: lastFailureOf(stored),
    secrets: stored.secrets.map(({ id, createdAt, validUntil }) => ({
      id,
      createdAt: new Date(createdAt).toISOString(),
      validUntil: validUntil && new Date(validUntil).toISOString(),
    })),
  });
}

function lastFailureOf({ lastFailureAt, lastFailureCode, lastFailureText }: StoredDestination): Destination["lastFailure"] {
  const outcome = attemptOutcome.safeParse(lastFailureCode).data;
  if (!lastFailureAt || !outcome) return null;
  return { at: lastFailureAt.toISOString(), outcome, detail: lastFailureText ?? "", fix: fixOf(outcome) };
}

const HOUR_MS = 3_600_000;
/** Each event is compared with each destination, and each has a sender. */
const MAX_DESTINATIONS = 100;

const NOTHING_SET: DestinationSettings = {
  ...{ name: "", url: "", sourceIds: [], types: [], filter: null, mode: "signed", ordered: false, rate: null, concurrency: 10 },
  headerNames: [],
};

/** Adds a destination, for events applied from now on. @throws AppError `invalid_request` for its URL; `conflict` for one too many */
export async function createDestination(context: Context, { headers, ...body }: CreateDestinationBody): Promise<CreatedDestination> {
  const { workspaceId, actor, now } = context;
  const checked = await checkedSettings(workspaceId, NOTHING_SET.url, body);
  const settings = { ...NOTHING_SET, ...checked, headerNames: headers.map(({ name }) => name) };
  const id = newId("dst");
  const secret = await change(workspaceId, async (client) => {
    await lockCount(client, "destinations", workspaceId);
    if ((await countDestinations(client, workspaceId)) >= MAX_DESTINATIONS)
      throw new AppError("conflict", `A workspace has at most ${MAX_DESTINATIONS} destinations. Delete one that is no longer used.`);
    await assertSignable(client, workspaceId, settings);
    await insertDestination(client, workspaceId, id, settings, actorName(actor));
    if (headers.length > 0) await putOwnHeaders(client, workspaceId, id, { url: settings.url, headers });
    // Also in pass-through mode: a change to another mode then needs no second step.
    const { secret: made } = await insertSecret(client, workspaceId, id, now);
    await record(client, context, { id, ...settings }, { action: "destination.created", after: audited(settings) });
    return made;
  });
  return { ...(await getDestination(workspaceId, id)), secret: settings.mode === "pass_through" ? null : secret };
}

/** Changes settings, also of pending deliveries. @throws AppError `not_found`; `invalid_request`, also for another host without secret */
export async function changeDestination(
  context: Context,
  id: string,
  { secret, headers, ...body }: ChangeDestinationBody,
): Promise<Destination> {
  const { workspaceId } = context;
  const { url } = await readSettings(workspaceId, id);
  const changed = await checkedSettings(workspaceId, url, body);
  await changeLocked(workspaceId, id, async (client, before) => {
    // Onto the locked row: somebody may have changed something else while a host name was looked up.
    const merged = { ...before, ...changed };
    const own = await headersAfter(client, { workspaceId, id }, { before, after: merged, given: headers });
    const settings = own === null ? merged : { ...merged, headerNames: own.headers.map(({ name }) => name) };
    await assertSignable(client, workspaceId, settings);
    await updateDestination(client, workspaceId, id, settings, before.url);
    const fresh = secretAfter(before, settings, secret);
    if (fresh !== null) await replaceSecrets(client, workspaceId, id, fresh);
    if (own !== null) await putOwnHeaders(client, workspaceId, id, { url: settings.url, headers: own.headers });
    const after = {
      ...audited(settings),
      ...(fresh !== null && { secret: "replaced" }),
      ...(own !== null && own.replaced.length > 0 && { headersReplaced: own.replaced }),
    };
    await record(client, context, settings, { action: "destination.changed", before: audited(before), after });
  });
  return getDestination(workspaceId, id);
}

/** Returns the only secret from now on; null to keep the present ones. In pass-through mode a new host gets a random one, because nobody
 * could enter it. @throws AppError `invalid_request` when the secret of another host would sign */
function secretAfter(before: DestinationSettings, after: DestinationSettings, entered: string | undefined): string | null {
  if (entered !== undefined) return entered;
  if (after.mode === "pass_through") return leadsElsewhere(before.url, after.url) ? newSigningSecret() : null;
  assertEnteredAgain({ before: before.url, after: after.url, entered: false, field: "secret", label: "signing secret" });
  return null;
}

/** @throws AppError `not_found`; `conflict` when it is paused already */
export async function pauseDestination(context: Context, id: string): Promise<Destination> {
  const { workspaceId, actor, now } = context;
  await changeLocked(workspaceId, id, async (client, before) => {
    if (before.state === "paused") throw new AppError("conflict", "This destination is already paused.");
    await setDestinationState(client, workspaceId, id, "paused", actorName(actor));
    await settleDestination(client, { workspaceId, destinationId: id }, ["destination_suspended"], now);
    await record(client, context, before, { action: "destination.paused", before: { state: before.state }, after: { state: "paused" } });
  });
  return getDestination(workspaceId, id);
}

/** Resumes a destination; what was held is sent or skipped, as chosen. @throws AppError `not_found`; `conflict` when it is active */
export async function resumeDestination(context: Context, id: string, held: HeldChoice): Promise<{ skipped: number }> {
  const { workspaceId, actor, now } = context;
  const before = await readSettings(workspaceId, id);
  if (before.state === "active") throw new AppError("conflict", "This destination is already active.");
  const by = actorName(actor);
  // Paused while deliveries are skipped: a suspended one might be probed meanwhile.
  if (held !== "all") await change(workspaceId, (client) => setDestinationState(client, workspaceId, id, "paused", by));
  const text = `Skipped when ${by} resumed the destination`;
  const skipped =
    held === "all" ? 0 : await finishHeld(workspaceId, id, { state: "skipped", text, keepNewest: held === "newest_of_each_subject" });
  await changeLocked(workspaceId, id, async (client) => {
    await setDestinationState(client, workspaceId, id, "active", by);
    await settleDestination(client, { workspaceId, destinationId: id }, ["destination_suspended"], now);
    const after = { state: "active", held, skipped };
    await record(client, context, before, { action: "destination.resumed", before: { state: before.state }, after });
  });
  return { skipped };
}

/** Adds a signing secret; the one before signs too during the overlap. @throws AppError `not_found` */
export async function rotateDestinationSecret(context: Context, id: string, overlapHours: number) {
  const previousValidUntil = new Date(context.now.getTime() + overlapHours * HOUR_MS);
  const previousEndsAt = previousValidUntil.toISOString();
  const made = await changeLocked(context.workspaceId, id, async (client, before) => {
    const added = await insertSecret(client, context.workspaceId, id, previousValidUntil);
    await record(client, context, before, { action: "destination.secret_rotated", after: { active: added.id, previousEndsAt } });
    return added;
  });
  return { ...made, previousValidUntil: previousEndsAt };
}

/** Deletes a destination and cancels what it holds; what was sent stays readable. @throws AppError `not_found` */
export async function deleteDestination(context: Context, id: string): Promise<{ cancelled: number }> {
  const { workspaceId, actor, now } = context;
  await changeLocked(workspaceId, id, async (client, before) => {
    await markDestinationDeleted(client, workspaceId, id);
    await settleDestination(client, { workspaceId, destinationId: id }, ["destination_suspended", "deliveries_exhausted"], now);
    await record(client, context, before, { action: "destination.deleted" });
  });
  const text = `${actorName(actor)} deleted the destination`;
  return { cancelled: await finishHeld(workspaceId, id, { state: "cancelled", text, keepNewest: false }) };
}

const readSettings = (workspaceId: WorkspaceId, id: string): Promise<LockedDestination> =>
  inTransaction(pool(), (client) => getLocked(client, workspaceId, id));

async function getLocked(client: pg.PoolClient, workspaceId: WorkspaceId, id: string): Promise<LockedDestination> {
  return expectFound(lockDestination(client, workspaceId, id), NO_DESTINATION);
}

const NO_DESTINATION = "destination with that ID";

/** Runs one transaction, after which the senders look at the destinations again. */
const change = <T>(workspaceId: WorkspaceId, work: (client: pg.PoolClient) => Promise<T>): Promise<T> =>
  inTransaction(pool(), async (client) => {
    const result = await work(client);
    await notifyOnCommit(client, "destinations", workspaceId);
    return result;
  });

/** @throws AppError `not_found` */
const changeLocked = <T>(
  workspaceId: WorkspaceId,
  id: string,
  work: (client: pg.PoolClient, before: LockedDestination) => Promise<T>,
): Promise<T> => change(workspaceId, async (client) => work(client, await getLocked(client, workspaceId, id)));

const record = (
  client: pg.PoolClient,
  { audit }: Context,
  { id, name }: { id: string; name: string },
  change: Omit<AuditChange, "target">,
) => audit.record({ ...change, target: { kind: "destination", id, name } }, client);

const audited = ({ url, headerNames, ...settings }: DestinationSettings) => ({ ...settings, headers: headerNames, url: maskedUrl(url) });

/** Checks the given settings and leaves out the others. @param present URL that is not checked again @throws AppError `invalid_request` */
async function checkedSettings(
  workspaceId: WorkspaceId,
  present: string,
  { sources, ...change }: Omit<ChangeDestinationBody, "secret" | "headers">,
): Promise<Partial<DestinationSettings>> {
  const given: Partial<DestinationSettings> = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
  const settings = { ...given, ...(sources && { sourceIds: await sourceIdsOf(workspaceId, sources) }) };
  if (settings.url === undefined || settings.url === present) return settings;
  const checked = await checkTarget(settings.url);
  // A name that is not known yet may be known when something is sent: nothing is called now.
  if (!checked.ok && checked.code === "refused") throw invalidField("url", checked.reason);
  return { ...settings, url: checked.ok ? checked.target.href : settings.url.trim() };
}

/** @throws AppError `invalid_request` in re-sign mode without sources or with one that can't be signed for; for a header that a sender sets */
async function assertSignable(client: pg.PoolClient, workspaceId: WorkspaceId, settings: DestinationSettings): Promise<void> {
  const { mode, sourceIds, headerNames } = settings;
  if (mode === "signed") return;
  if (mode === "re_sign" && sourceIds.length === 0)
    throw invalidField("sources", "Choose the sources whose events are re-signed: each sender signs in its own way.");
  const senders = await listSenders(workspaceId, client);
  const chosen = sourceIds.length === 0 ? [...senders.values()] : sourceIds.flatMap((id) => senders.get(id) ?? []);
  for (const sender of mode === "re_sign" ? chosen : []) {
    const reason = whyNotReSigned(sender);
    if (reason !== null) throw invalidField("sources", `${reason} Leave it out, or choose another mode.`);
  }
  if (headerNames.length > 0) assertNotTheSenders(headerNames, chosen, mode);
}

async function sourceIdsOf(workspaceId: WorkspaceId, names: string[]): Promise<string[]> {
  if (names.length === 0) return [];
  const known = [...(await listSourceNames(workspaceId))];
  return names.map((name) => {
    const [id] = known.find(([, each]) => each === name) ?? [];
    if (id === undefined) throw invalidField("sources", `There is no source named ${name}.`);
    return id;
  });
}

/** Expires deliveries held until long after their events' retention, with an audit entry: only then may the events leave the log. */
export async function giveUpLongHeld(batch: number): Promise<void> {
  while (await giveUpBatch(batch));
}

const giveUpBatch = (batch: number): Promise<boolean> =>
  inTransaction(pool("worker"), async (client) => {
    const given = await giveUpHeld(client, batch);
    for (const { workspaceId, destinationId, name, count, from, to } of given) {
      const after = { count, receivedFrom: from.toISOString(), receivedTo: to.toISOString() };
      const target = { kind: "destination", id: destinationId, name };
      await insertAudit(workspaceId, { action: "delivery.expired", who: RETENTION, target, after }, client);
    }
    return given.length > 0;
  });

type Change = {
  before: { url: string; headerNames: string[] };
  after: { url: string };
  /** Left out: they stay. */
  given: readonly GivenHeader[] | undefined;
};

/** `replaced`: names that were there and have another value now. */
type Changed = { headers: OwnHeader[]; replaced: string[] };

/** Returns a destination's headers after a change; null if they stay. @throws AppError `invalid_request` where a value is missing, or is
 * that of another host */
export async function headersAfter(
  client: pg.PoolClient,
  owner: { workspaceId: WorkspaceId; id: string },
  { before, after, given }: Change,
): Promise<Changed | null> {
  const moves = leadsElsewhere(before.url, after.url);
  if (given === undefined) {
    if (moves && before.headerNames.length > 0) throw invalidField("headers", againWords(before.headerNames));
    return null;
  }
  const isKnown = (name: string) => before.headerNames.some((each) => sameName(each, name));
  const keepsSome = given.some(({ value }) => value === undefined);
  for (const [index, { name, value }] of given.entries()) {
    if (value !== undefined) continue;
    if (!isKnown(name)) throw invalidField(`headers.${index}.value`, `Enter a value: the destination has no header ${name} yet.`);
    if (moves) throw invalidField(`headers.${index}.value`, againWords([name]));
  }
  const kept = keepsSome ? await openKept(client, owner, before.url, given) : [];
  const headers = given.map(({ name, value }) => ({ name, value: value ?? kept.find((each) => sameName(each.name, name))?.value ?? "" }));
  const problem = findHeaderProblem(headers);
  if (problem) throw invalidField(["headers", ...problem.path].join("."), problem.message);
  return { headers, replaced: given.filter(({ name, value }) => value !== undefined && isKnown(name)).map(({ name }) => name) };
}

const againWords = (names: readonly string[]): string =>
  enterAgainWords(names.length === 1 ? `value of ${names[0]}` : `values of ${names.join(", ")}`);

async function openKept(
  client: pg.PoolClient,
  owner: { workspaceId: WorkspaceId; id: string },
  url: string,
  given: readonly GivenHeader[],
): Promise<OwnHeader[]> {
  try {
    return await openOwnHeaders(owner, await findOwnHeaders(owner.workspaceId, owner.id, client), url);
  } catch (error) {
    if (!isVaultError(error)) throw error;
    const index = given.findIndex(({ value }) => value === undefined);
    throw invalidField(`headers.${index}.value`, "The value can't be decrypted, or was entered for another host. Enter it again.");
  }
}

/** @throws AppError `invalid_request` for a header that a sender sets: its own value would be lost, or the sender's */
export function assertNotTheSenders(names: readonly string[], senders: readonly SourceSender[], mode: "pass_through" | "re_sign"): void {
  const set = senders.map((sender) => setHeaders(sender, mode));
  for (const [index, name] of names.entries())
    if (set.some((each) => each.has(name.toLowerCase())))
      throw invalidField(
        `headers.${index}.name`,
        `${name} is a header by which the sender signs or names its events. Choose another, or have Signalbox sign.`,
      );
}
