import type pg from "pg";
import { type Actor, actorName } from "#lib/auth/actor";
import type { Audit } from "#lib/auth/audit/audit";
import { AppError } from "#lib/contracts/api/app-error";
import type { SourceId } from "#lib/contracts/api/ids";
import type { Operation } from "#lib/contracts/operations";
import type { AcceptAgainBody, AcceptedAgain, ReleasesBody, ReleasesResult } from "#lib/contracts/quarantine";
import { notifyOnCommit } from "#lib/db/notifications";
import { inTransaction, pool } from "#lib/db/pool";
import { showOperation } from "#lib/flows/operations/control-operation";
import { type OperationWork, runQueued } from "#lib/flows/operations/run-operation";
import { insertOperation } from "#lib/operations/operation-store";
import { countUnreleased } from "#lib/quarantine/review-store";
import { moveSecretEnd } from "#lib/sources/source-secret-store";
import { systemClock } from "#lib/time/clock";
import { releasePage } from "./release-quarantined.ts";

const HOUR_MS = 3_600_000;

/** Accepts a retired secret again and releases what was signed with it: both or neither. @throws AppError `not_found`, `conflict` */
export async function acceptAgain(
  actor: Actor,
  source: SourceId,
  { secret, hours, release }: AcceptAgainBody,
  now: Date,
  audit: Audit,
): Promise<AcceptedAgain> {
  const { workspaceId } = actor;
  const until = new Date(now.getTime() + hours * HOUR_MS);
  const { operation, endsAt, notifyHere } = await inTransaction(pool(), async (client) => {
    const { sourceName: name, endedBefore, endsAt } = await moveSecretEnd(client, workspaceId, source, { secretId: secret, until, now });
    // By its secret and not by its diagnosis, which changes as soon as the secret is accepted.
    const started = release ? await requestRelease(actor, { filter: { source: name, about: secret } }, now, audit, client) : null;
    const [before, after] = [
      { secret, endsAt: endedBefore },
      { secret, endsAt, ...(started && { released: started.id }) },
    ];
    const action = hours === 0 ? "secret.ended" : "secret.accepted_again";
    await audit.record({ action, target: { kind: "source", id: source, name }, before, after }, client);
    return { operation: started, endsAt, notifyHere: await notifyOnCommit(client, "sources", workspaceId) };
  });
  notifyHere();
  return { validUntil: endsAt.toISOString(), operation };
}

/** `late` and `receivedUntil` are absent in what the release before has queued. */
type Input = Pick<ReleasesBody, "filter"> & Partial<Pick<ReleasesBody, "late">> & { receivedUntil?: string };

/** Requests the release of all that match until now. @param within transaction to join
 * @param asked with `behind` it waits for another release @throws AppError `conflict` while one runs */
export async function requestRelease(
  actor: Actor,
  { filter, late = false, behind = false }: Pick<Input, "filter" | "late"> & { behind?: boolean },
  now: Date,
  audit: Audit,
  within?: pg.PoolClient,
): Promise<Operation> {
  const input: Input = { filter, late, receivedUntil: now.toISOString() };
  const { outcome, operation } = await insertOperation(
    actor.workspaceId,
    { kind: "release", requestedBy: actorName(actor), input, behind },
    within,
  );
  if (outcome === "busy") throw new AppError("conflict", "Another release is running. Wait for it, or stop it.");
  const after = { filter, ...(late && { late }) };
  await audit.record({ action: "release.started", target: { kind: "operation", id: operation.id }, after }, within);
  return showOperation(operation);
}

export const runReleases = (signal: AbortSignal): Promise<void> => runQueued("release", release, signal);

type Counts = Pick<ReleasesResult, "released" | "repeated" | "failed" | "stillQuarantined">;
const NONE: Counts = { released: 0, repeated: 0, failed: 0, stillQuarantined: 0 };

const release: OperationWork = async ({ workspaceId, input, requestedBy, checkpoint, ...before }, { signal, commit, expectMine }) => {
  const { filter, late = false, receivedUntil } = input as Input;
  const by = requestedBy ?? "Signalbox";
  const counts = { ...NONE, ...(before.counts as Partial<Counts>) };
  const total = before.total || (await countUnreleased(workspaceId, filter, receivedUntil));
  let { done } = before;
  let cursor = (checkpoint as { cursor: string } | null)?.cursor;
  while (!signal.aborted) {
    await commit(async (client) => {
      const now = new Date(systemClock.now());
      const page = await releasePage(client, workspaceId, { filter, late, cursor, receivedUntil }, by, now, () => expectMine(client));
      done += page.examined;
      for (const name of Object.keys(NONE) as (keyof Counts)[]) counts[name] += page[name];
      cursor = page.nextCursor ?? undefined;
      return { done, total: Math.max(total, done), counts, checkpoint: cursor === undefined ? undefined : { cursor } };
    });
    if (cursor === undefined) return { outcome: "finished" };
  }
  return { outcome: "stopped" };
};
