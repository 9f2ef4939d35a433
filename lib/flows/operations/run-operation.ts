import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { firstLineOf } from "#lib/db/unavailable";
import { logger } from "#lib/observability/logger";
import {
  beat,
  claimOperation,
  commitPiece,
  expectMine,
  finishOperation,
  type OperationEnd,
  type OperationProgress,
} from "#lib/operations/claim-store";
import type { ClaimedOperation, StoredKind } from "#lib/operations/operation-record";
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
export type FailureWords = (error: unknown) => string;
const plainWords: FailureWords = (error) => `It failed: ${firstLineOf(error)}. Resume it to try again.`;

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
