import type pg from "pg";
import { type Actor, actorName } from "#lib/auth/actor";
import type { Audit } from "#lib/auth/audit/audit";
import { AppError } from "#lib/contracts/api/app-error";
import type { Operation } from "#lib/contracts/operations/operations";
import type { ReleasesBody, ReleasesResult } from "#lib/contracts/quarantine";
import { type OperationWork, runQueued } from "#lib/flows/operations/run-operation";
import { showOperation } from "#lib/flows/operations/show-operation";
import { insertOperation } from "#lib/operations/operation-store";
import { countUnreleased } from "#lib/quarantine/release-store";
import { systemClock } from "#lib/time/clock";
import { releasePage } from "./release-quarantined.ts";

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
