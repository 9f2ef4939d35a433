import type pg from "pg";
import { type Actor, actorName } from "#lib/auth/actor";
import type { Audit } from "#lib/auth/audit/audit";
import { AppError } from "#lib/contracts/api/app-error";
import { newId } from "#lib/contracts/api/ids";
import { assertEnteredAgain, leadsElsewhere } from "#lib/contracts/forwarding/bound-secret";
import type {
  ChangeDestinationBody,
  CreateDestinationBody,
  CreatedDestination,
  Destination,
  HeldChoice,
} from "#lib/contracts/forwarding/destinations";
import { maskedUrl } from "#lib/contracts/forwarding/masked-url";
import { lockCount } from "#lib/db/count-lock";
import { notifyOnCommit } from "#lib/db/notify/notify";
import { inTransaction, pool } from "#lib/db/pool";
import { settleDestination } from "#lib/flows/issues/record-undelivered";
import { newSigningSecret } from "#lib/forwarding/attempt/signing";
import { insertSecret, replaceSecrets } from "#lib/forwarding/destination-secret-store";
import {
  countDestinations,
  type DestinationSettings,
  insertDestination,
  lockDestination,
  markDestinationDeleted,
  setDestinationState,
  updateDestination,
} from "#lib/forwarding/destination-store";
import { finishHeld } from "#lib/forwarding/held-delivery-store";
import { assertSignable, checkedSettings } from "./destination-settings.ts";
import { getDestination } from "./read-destinations.ts";

const HOUR_MS = 3_600_000;
/** Each event is compared with each destination, and each has a sender. */
const MAX_DESTINATIONS = 100;

const NOTHING_SET: DestinationSettings = {
  ...{ name: "", url: "", sourceIds: [], types: [], filter: null, mode: "signed", ordered: false, rate: null, concurrency: 10 },
};

/**
 * Adds a destination. It receives the events that are applied from now on.
 *
 * @returns the destination, and unless the mode is pass-through its secret, which is shown once
 * @throws AppError `invalid_request` when its URL may not be called; `conflict` when there are too many
 */
export async function createDestination(actor: Actor, body: CreateDestinationBody, now: Date, audit: Audit): Promise<CreatedDestination> {
  const settings = { ...NOTHING_SET, ...(await checkedSettings(actor.workspaceId, NOTHING_SET.url, body)) };
  const id = newId("dst");
  const secret = await change(actor, async (client) => {
    await lockCount(client, "destinations", actor.workspaceId);
    if ((await countDestinations(client, actor.workspaceId)) >= MAX_DESTINATIONS)
      throw new AppError("conflict", `A workspace has at most ${MAX_DESTINATIONS} destinations. Delete one that is no longer used.`);
    await assertSignable(client, actor.workspaceId, settings);
    await insertDestination(client, actor.workspaceId, id, settings, actorName(actor));
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

/**
 * Changes a destination's settings. What waits is sent by the new ones.
 *
 * @throws AppError `not_found`; `invalid_request`, also for a URL of another host without the secret
 */
export async function changeDestination(
  actor: Actor,
  id: string,
  { secret, ...body }: ChangeDestinationBody,
  audit: Audit,
): Promise<Destination> {
  const { url } = await readSettings(actor, id);
  const changed = await checkedSettings(actor.workspaceId, url, body);
  await change(actor, async (client) => {
    const before = await lockDestination(client, actor.workspaceId, id);
    if (!before) throw notFound();
    // Onto what stands now: somebody may have changed something else while a host name was looked up.
    const settings = { ...before, ...changed };
    await assertSignable(client, actor.workspaceId, settings);
    await updateDestination(client, actor.workspaceId, id, settings, before.url);
    const fresh = secretAfter(before, settings, secret);
    if (fresh !== null) await replaceSecrets(client, actor.workspaceId, id, fresh);
    await audit.record(
      {
        action: "destination.changed",
        target: destinationTarget({ id, name: settings.name }),
        before: audited(before),
        after: { ...audited(settings), ...(fresh !== null && { secret: "replaced" }) },
      },
      client,
    );
  });
  return getDestination(actor.workspaceId, id);
}

/**
 * The one secret that signs from now on. In pass-through mode nothing is signed, and nobody could enter a secret: at
 * another host a new random one takes its place, to be rotated before it signs.
 *
 * @returns null when the secrets stay as they are
 * @throws AppError `invalid_request` when those of another host would sign
 */
function secretAfter(before: DestinationSettings, after: DestinationSettings, entered: string | undefined): string | null {
  if (entered !== undefined) return entered;
  if (after.mode === "pass_through") return leadsElsewhere(before.url, after.url) ? newSigningSecret() : null;
  assertEnteredAgain({ before: before.url, after: after.url, entered: false, field: "secret", label: "signing secret" });
  return null;
}

/**
 * Pauses a destination: its deliveries are held from now on.
 *
 * @throws AppError `not_found`; `conflict` when it is paused already
 */
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

/**
 * Resumes a paused or suspended destination. What was held is sent, or skipped
 * as asked before anything is sent.
 *
 * @returns how many deliveries were skipped
 * @throws AppError `not_found`; `conflict` when it is active
 */
export async function resumeDestination(actor: Actor, id: string, held: HeldChoice, now: Date, audit: Audit): Promise<{ skipped: number }> {
  const before = await readSettings(actor, id);
  if (before.state === "active") throw new AppError("conflict", "This destination is already active.");
  const by = actorName(actor);
  // Paused while they are skipped: a suspended one might be probed meanwhile.
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

/**
 * Gives a destination another signing secret; the one before signs on beside it for the overlap.
 *
 * @returns the secret, which is shown once
 * @throws AppError `not_found`
 */
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

/**
 * Deletes a destination and cancels what it holds. What was sent stays to be read.
 *
 * @returns how many deliveries were cancelled
 * @throws AppError `not_found`
 */
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

/** One transaction, after which the senders look at the destinations again. */
async function change<T>(actor: Actor, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const { result, notifyHere } = await inTransaction(pool(), async (client) => ({
    result: await work(client),
    notifyHere: await notifyOnCommit(client, "destinations", actor.workspaceId),
  }));
  notifyHere();
  return result;
}

const destinationTarget = ({ id, name }: { id: string; name: string }) => ({ kind: "destination", id, name });

const audited = ({ url, ...settings }: DestinationSettings) => ({ ...settings, url: maskedUrl(url) });

const notFound = () => new AppError("not_found", "There is no destination with that ID.");
