import type pg from "pg";
import { type Actor, actorName, mayDo } from "#lib/auth/actor";
import type { Audit } from "#lib/auth/audit/audit";
import { RETENTION } from "#lib/auth/audit/audit-entry";
import { insertAudit } from "#lib/auth/audit/audit-store";
import { AppError, invalidField } from "#lib/contracts/api/app-error";
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
import { leadsElsewhere } from "#lib/contracts/forwarding/entered-again";
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
  listDestinations,
  lockDestination,
  markDestinationDeleted,
  replaceSecrets,
  type StoredDestination,
  setDestinationState,
  updateDestination,
} from "#lib/forwarding/destination-store";
import { putOwnHeaders } from "#lib/forwarding/own-headers-store";
import { whyNotReSigned } from "#lib/platform/schemes/sender-requests";
import { listSenders, listSources } from "#lib/sources/source-store";
import { assertNotTheSenders, headersAfter } from "./own-headers.ts";

export async function readDestinations(workspaceId: WorkspaceId): Promise<Destination[]> {
  const [stored, names] = await Promise.all([listDestinations(workspaceId), sourceNames(workspaceId)]);
  return stored.map((each) => destinationOf(each, names));
}

export async function readDestination(workspaceId: WorkspaceId, id: string): Promise<Destination | null> {
  const [stored, names] = await Promise.all([findDestination(workspaceId, id), sourceNames(workspaceId)]);
  return stored && destinationOf(stored, names);
}

export async function getDestination(workspaceId: WorkspaceId, id: string): Promise<Destination> {
  const found = await readDestination(workspaceId, id);
  if (!found) throw new AppError("not_found", "There is no destination with that ID.");
  return found;
}

const sourceNames = async (workspaceId: WorkspaceId) => new Map((await listSources(workspaceId)).map(({ id, name }) => [id, name]));

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
export async function createDestination(
  actor: Actor,
  { headers, ...body }: CreateDestinationBody,
  now: Date,
  audit: Audit,
): Promise<CreatedDestination> {
  const checked = await checkedSettings(actor.workspaceId, NOTHING_SET.url, body);
  const settings = { ...NOTHING_SET, ...checked, headerNames: headers.map(({ name }) => name) };
  const id = newId("dst");
  const secret = await change(actor, async (client) => {
    await lockCount(client, "destinations", actor.workspaceId);
    if ((await countDestinations(client, actor.workspaceId)) >= MAX_DESTINATIONS)
      throw new AppError("conflict", `A workspace has at most ${MAX_DESTINATIONS} destinations. Delete one that is no longer used.`);
    await assertSignable(client, actor.workspaceId, settings);
    await insertDestination(client, actor.workspaceId, id, settings, actorName(actor));
    if (headers.length > 0) await putOwnHeaders(client, actor.workspaceId, id, { url: settings.url, headers });
    // Also in pass-through mode: a change to another mode then needs no second step.
    const { secret: made } = await insertSecret(client, actor.workspaceId, id, now);
    await audit.record(
      { action: "destination.created", target: destinationTarget({ id, name: settings.name }), after: audited(settings) },
      client,
    );
    return made;
  });
  return { ...(await getDestination(actor.workspaceId, id)), secret: settings.mode === "pass_through" ? null : secret };
}

/** Changes settings, also of pending deliveries. @throws AppError `not_found`; `invalid_request`, also for another host without secret */
export async function changeDestination(
  actor: Actor,
  id: string,
  { secret, headers, ...body }: ChangeDestinationBody,
  audit: Audit,
): Promise<Destination> {
  const { url } = await readSettings(actor, id);
  const changed = await checkedSettings(actor.workspaceId, url, body);
  await change(actor, async (client) => {
    const before = await lockDestination(client, actor.workspaceId, id);
    if (!before) throw notFound();
    // Onto the locked row: somebody may have changed something else while a host name was looked up.
    const merged = { ...before, ...changed };
    const own = await headersAfter(client, { workspaceId: actor.workspaceId, id }, { before, after: merged, given: headers });
    const settings = own === null ? merged : { ...merged, headerNames: own.headers.map(({ name }) => name) };
    await assertSignable(client, actor.workspaceId, settings);
    await updateDestination(client, actor.workspaceId, id, settings, before.url);
    const fresh = secretAfter(before, settings, secret);
    if (fresh !== null) await replaceSecrets(client, actor.workspaceId, id, fresh);
    if (own !== null) await putOwnHeaders(client, actor.workspaceId, id, { url: settings.url, headers: own.headers });
    await audit.record(
      {
        action: "destination.changed",
        target: destinationTarget({ id, name: settings.name }),
        before: audited(before),
        after: {
          ...audited(settings),
          ...(fresh !== null && { secret: "replaced" }),
          ...(own !== null && own.replaced.length > 0 && { headersReplaced: own.replaced }),
        },
      },
      client,
    );
  });
  return getDestination(actor.workspaceId, id);
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
export async function pauseDestination(actor: Actor, id: string, now: Date, audit: Audit): Promise<Destination> {
  await change(actor, async (client) => {
    const before = await lockDestination(client, actor.workspaceId, id);
    if (!before) throw notFound();
    if (before.state === "paused") throw new AppError("conflict", "This destination is already paused.");
    await setDestinationState(client, actor.workspaceId, id, "paused", actorName(actor));
    await settleDestination(client, { workspaceId: actor.workspaceId, destinationId: id }, ["destination_suspended"], now);
    await audit.record(
      { action: "destination.paused", target: destinationTarget({ id, name: before.name }), before: { state: before.state } },
      client,
    );
  });
  return getDestination(actor.workspaceId, id);
}

/** Resumes a destination; what was held is sent or skipped, as chosen. @throws AppError `not_found`; `conflict` when it is active */
export async function resumeDestination(actor: Actor, id: string, held: HeldChoice, now: Date, audit: Audit): Promise<{ skipped: number }> {
  const before = await readSettings(actor, id);
  if (before.state === "active") throw new AppError("conflict", "This destination is already active.");
  const by = actorName(actor);
  // Paused while deliveries are skipped: a suspended one might be probed meanwhile.
  if (held !== "all") await change(actor, (client) => setDestinationState(client, actor.workspaceId, id, "paused", by));
  const text = `Skipped when ${by} resumed the destination`;
  const skipped =
    held === "all" ? 0 : await finishHeld(actor.workspaceId, id, { state: "skipped", text, keepNewest: held === "newest_of_each_subject" });
  await change(actor, async (client) => {
    if (!(await lockDestination(client, actor.workspaceId, id))) throw notFound();
    await setDestinationState(client, actor.workspaceId, id, "active", by);
    await settleDestination(client, { workspaceId: actor.workspaceId, destinationId: id }, ["destination_suspended"], now);
    await audit.record(
      {
        action: "destination.resumed",
        target: destinationTarget({ id, name: before.name }),
        before: { state: before.state },
        after: { held, skipped },
      },
      client,
    );
  });
  return { skipped };
}

/** Adds a signing secret; the one before signs too during the overlap. @throws AppError `not_found` */
export async function rotateDestinationSecret(actor: Actor, id: string, overlapHours: number, now: Date, audit: Audit) {
  const previousValidUntil = new Date(now.getTime() + overlapHours * HOUR_MS);
  const made = await change(actor, async (client) => {
    const before = await lockDestination(client, actor.workspaceId, id);
    if (!before) throw notFound();
    const added = await insertSecret(client, actor.workspaceId, id, previousValidUntil);
    await audit.record(
      {
        action: "destination.secret_rotated",
        target: destinationTarget({ id, name: before.name }),
        after: { active: added.id, previousEndsAt: previousValidUntil.toISOString() },
      },
      client,
    );
    return added;
  });
  return { ...made, previousValidUntil: previousValidUntil.toISOString() };
}

/** Deletes a destination and cancels what it holds; what was sent stays readable. @throws AppError `not_found` */
export async function deleteDestination(actor: Actor, id: string, now: Date, audit: Audit): Promise<{ cancelled: number }> {
  const { name } = await readSettings(actor, id);
  await change(actor, async (client) => {
    if (!(await markDestinationDeleted(client, actor.workspaceId, id))) throw notFound();
    const destination = { workspaceId: actor.workspaceId, destinationId: id };
    await settleDestination(client, destination, ["destination_suspended", "deliveries_exhausted"], now);
    await audit.record({ action: "destination.deleted", target: destinationTarget({ id, name }) }, client);
  });
  const text = `${actorName(actor)} deleted the destination`;
  return { cancelled: await finishHeld(actor.workspaceId, id, { state: "cancelled", text, keepNewest: false }) };
}

async function readSettings(actor: Actor, id: string) {
  const found = await inTransaction(pool(), (client) => lockDestination(client, actor.workspaceId, id));
  if (!found) throw notFound();
  return found;
}

/** Runs one transaction, after which the senders look at the destinations again. */
async function change<T>(actor: Actor, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const { result, notifyHere } = await inTransaction(pool(), async (client) => ({
    result: await work(client),
    notifyHere: await notifyOnCommit(client, "destinations", actor.workspaceId),
  }));
  notifyHere();
  return result;
}

const destinationTarget = ({ id, name }: { id: string; name: string }) => ({ kind: "destination", id, name });

const audited = ({ url, headerNames, ...settings }: DestinationSettings) => ({ ...settings, headers: headerNames, url: maskedUrl(url) });

const notFound = () => new AppError("not_found", "There is no destination with that ID.");

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
  const known = await listSources(workspaceId);
  return names.map((name) => {
    const source = known.find((each) => each.name === name);
    if (!source) throw invalidField("sources", `There is no source named ${name}.`);
    return source.id;
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
