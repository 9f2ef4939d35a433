import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { firstLineOf } from "#lib/db/first-line";
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
import { startPulse } from "#lib/time/pulse";

const LOOK_MS = 1000;
const BEAT_MS = 500;

/** Functions and signals passed to the work of an operation. */
export type OperationControl = {
  /** Aborted when it is to stop. */
  signal: AbortSignal;
  /** For work that writes nothing before its end: shows how far it has come. */
  onProgress: (progress: OperationProgress) => void;
  /** For work that writes piece by piece: see `commitPiece`. */
  commit: (piece: (client: pg.PoolClient) => Promise<OperationProgress>) => Promise<void>;
  /** See `expectMine`. */
  expectMine: (client: pg.PoolClient) => Promise<void>;
};

/**
 * The work of one operation. It ends soon after its signal aborts, and where it is claimed again it goes on at the
 * last checkpoint that it noted.
 */
export type OperationWork<End extends OperationEnd = OperationEnd> = (claimed: ClaimedOperation, control: OperationControl) => Promise<End>;

/** A failure as shown to people: never SQL. */
export type FailureWords = (error: unknown) => string;
const plainWords: FailureWords = (error) => `It failed: ${firstLineOf(error)}. Resume it to try again.`;

/**
 * Runs operations of one kind that were asked for, one after another, until the signal aborts; one under way goes back
 * to the queue then.
 */
export async function runQueued(kind: StoredKind, work: OperationWork, signal: AbortSignal, failureWords = plainWords): Promise<void> {
  const runner = randomUUID();
  while (!signal.aborted) {
    const claimed = await claimOperation(kind, runner);
    if (!claimed) await sleep(LOOK_MS, undefined, { signal }).catch(() => undefined);
    else await runClaimed(claimed, runner, work, { signal, failureWords }).catch((error: Error) => logFailure(kind, error));
  }
}

const logFailure = (kind: StoredKind, error: Error) => logger().error({ kind, reason: error.message }, "an operation failed");

/**
 * Runs one that is in the hands of this process, and says twice a second how far it has come.
 *
 * @throws whatever the work throws, after it was noted in words
 */
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
    await beat(id, runner, progress).catch(() => undefined); // only how far it came: the end says the rest
    await noteEnd(claimed, runner, end);
    return end;
  } finally {
    pulse.end();
  }
}

const NOTE_TRIES = 5;
const NOTE_PAUSE_MS = 1000;

/** Notes how it ended, also when the database is away for a moment: what is not noted is done once more by another process. */
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
