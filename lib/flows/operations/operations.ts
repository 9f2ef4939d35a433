import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { authorize } from "#lib/auth/actor";
import type { Audit, Context } from "#lib/auth/audit/audit";
import type { AuditAction } from "#lib/auth/audit/audit-entry";
import type { Operation as Permission } from "#lib/auth/permissions";
import { AppError, expectFound } from "#lib/contracts/api/app-error";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { Page } from "#lib/contracts/api/parameters";
import { asSentence } from "#lib/contracts/as-sentence";
import { operationOfRedelivery } from "#lib/contracts/operation-states";
import { type Operation, type OperationKind, type OperationQuery, operation } from "#lib/contracts/operations";
import { firstLineOf } from "#lib/db/unavailable";
import { startOrResume, stopRedelivery } from "#lib/flows/processing/redeliver-events";
import { logger } from "#lib/observability/logger";
import {
  beat,
  type ClaimedOperation,
  claimOperation,
  commitPiece,
  expectMine,
  findOperation,
  finishOperation,
  listOperations as listStored,
  type OperationEnd,
  type OperationProgress,
  requestStop,
  requeueOperation,
  type StoredKind,
  type StoredOperation,
} from "#lib/operations/operation-store";
import { findRedelivery, listRedeliveries } from "#lib/processing/redelivery-store";
import { startPulse } from "#lib/time/waits";

const LOOK_MS = 1000;
const BEAT_MS = 500;

export type OperationControl = {
  signal: AbortSignal;
  /** For work that writes nothing before its end. */
  onProgress: (progress: OperationProgress) => void;
  /** For work that writes piece by piece. */
  commit: (piece: (client: pg.PoolClient) => Promise<OperationProgress>) => Promise<void>;
  expectMine: (client: pg.PoolClient) => Promise<void>;
};

/** Ends soon after its signal aborts; claimed again, it continues at its last checkpoint. */
export type OperationWork<End extends OperationEnd = OperationEnd> = (claimed: ClaimedOperation, control: OperationControl) => Promise<End>;

/** A failure as shown to people: never SQL. */
type FailureWords = (error: unknown) => string;
const plainWords: FailureWords = (error) => `${asSentence(`It failed: ${firstLineOf(error)}`)} Resume it to try again.`;

/** Runs operations of one kind until the signal aborts; the one in progress then goes back to the queue. */
export async function runQueued(kind: StoredKind, work: OperationWork, signal: AbortSignal, failureWords = plainWords): Promise<void> {
  const runner = randomUUID();
  while (!signal.aborted) {
    const claimed = await claimOperation(kind, runner);
    if (!claimed) await sleep(LOOK_MS, undefined, { signal }).catch(() => undefined);
    else await runClaimed(claimed, runner, work, { signal, failureWords }).catch((error: Error) => logFailure(kind, error));
  }
}

const logFailure = (kind: StoredKind, error: Error) => logger().error({ kind, reason: error.message }, "an operation failed");

/** Runs a claimed operation and reports progress twice a second. @throws what the work throws, after it was recorded */
export async function runClaimed<End extends OperationEnd>(
  claimed: ClaimedOperation,
  runner: string,
  work: OperationWork<End>,
  { signal, failureWords = plainWords }: { signal: AbortSignal; failureWords?: FailureWords },
): Promise<End> {
  const { id } = claimed;
  let progress: OperationProgress | undefined;
  const pulse = startPulse(() => beat(id, runner, progress), signal, BEAT_MS);
  const onProgress = (latest: OperationProgress) => {
    progress = latest;
  };
  const control: OperationControl = {
    signal: pulse.signal,
    onProgress,
    commit: (piece) => commitPiece(id, runner, piece),
    expectMine: (client) => expectMine(client, id, runner),
  };
  try {
    const end = await work(claimed, control).catch(async (error: unknown) => {
      await noteEnd(claimed, runner, { outcome: "failed", failure: failureWords(error) });
      throw error;
    });
    await beat(id, runner, progress).catch(() => undefined); // progress only: the end says the rest
    await noteEnd(claimed, runner, end);
    return end;
  } finally {
    pulse.end();
  }
}

const NOTE_TRIES = 5;
const NOTE_PAUSE_MS = 1000;

/** Retries while the database is unavailable: what is not recorded is done once more by another process. */
async function noteEnd({ id }: ClaimedOperation, runner: string, end: OperationEnd): Promise<void> {
  for (let left = NOTE_TRIES; ; left -= 1) {
    try {
      return await finishOperation(id, runner, end);
    } catch (error) {
      if (left <= 1) throw error;
      await sleep(NOTE_PAUSE_MS);
    }
  }
}

type Kind = { permission: Permission; stopped: AuditAction; resumed: AuditAction | null };

/** Members who may start an operation may stop and resume it. */
const KINDS: Record<OperationKind, Kind> = {
  redelivery: { permission: "events.redeliver", stopped: "redelivery.stopped", resumed: "redelivery.resumed" },
  rebuild: { permission: "views.rebuild", stopped: "rebuild.stopped", resumed: "rebuild.resumed" },
  release: { permission: "quarantine.release", stopped: "release.stopped", resumed: "release.resumed" },
  retry: { permission: "destinations.manage", stopped: "retry.stopped", resumed: "retry.resumed" },
  relearn: { permission: "event_types.manage", stopped: "relearn.stopped", resumed: "relearn.resumed" },
  export: { permission: "events.read", stopped: "export.stopped", resumed: null },
};

/** @throws AppError `not_found`, also for a re-delivery that was never started */
export async function readOperation(workspaceId: WorkspaceId, id: string): Promise<Operation> {
  const stored = await findOperation(workspaceId, id);
  if (stored) return showOperation(stored);
  const redelivery = await findRedelivery(workspaceId, id);
  return expectFound(redelivery && operationOfRedelivery(redelivery), "operation with that ID");
}

/** Stops a waiting operation, or a running one within a second or two; what it did stays. @throws AppError `not_found`, `forbidden` */
export async function stopOperation(context: Context, id: string): Promise<Operation> {
  const { workspaceId, actor, audit } = context;
  const { kind, state, canStop } = await readOperation(workspaceId, id);
  authorize(actor, KINDS[kind].permission);
  if (!canStop) audit.unchanged();
  else if (kind === "redelivery") await stopRedelivery(context, id);
  else {
    await requestStop(workspaceId, id);
    const target = { kind: "operation", id };
    await audit.record({ action: KINDS[kind].stopped, target, before: { state }, after: { state: "stopped" } });
  }
  return readOperation(workspaceId, id);
}

/** Resumes where it was, as far as its kind can. @throws AppError `not_found`, `forbidden`; `conflict` when it can't, or another runs */
export async function resumeOperation(context: Context, id: string): Promise<Operation> {
  const { workspaceId, actor, audit } = context;
  const { kind, state, canStop, canResume } = await readOperation(workspaceId, id);
  authorize(actor, KINDS[kind].permission);
  if (canStop) audit.unchanged();
  else if (!canResume) throw new AppError("conflict", `This operation is ${state} and can't be resumed. Start a new one.`);
  else if (kind === "redelivery") await startOrResume(context, id, {});
  else await requeue(workspaceId, id, KINDS[kind].resumed, audit);
  return readOperation(workspaceId, id);
}

async function requeue(workspaceId: WorkspaceId, id: string, action: AuditAction | null, audit: Audit): Promise<void> {
  const before = await requeueOperation(workspaceId, id);
  if (before === "busy") throw new AppError("conflict", "Another operation of this kind is running. Wait for it, or stop it.");
  if (!action || (before !== "stopped" && before !== "failed")) return audit.unchanged();
  await audit.record({ action, target: { kind: "operation", id }, before: { state: before }, after: { state: "queued" } });
}

export async function listOperations(workspaceId: WorkspaceId, { kind, ...page }: OperationQuery): Promise<Page<Operation>> {
  if (kind !== "redelivery") {
    const { data, nextCursor } = await listStored(workspaceId, kind, page);
    return { data: data.map(showOperation), nextCursor };
  }
  const { data, nextCursor } = await listRedeliveries(workspaceId, page);
  return { data: data.map(operationOfRedelivery).filter((operation) => operation !== null), nextCursor };
}

/** Leaves out the input, and what its kind alone understands. */
export const showOperation = (stored: StoredOperation): Operation => operation.parse(stored);
