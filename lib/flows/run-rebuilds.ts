import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { WorkspaceId } from "#lib/contracts/ids";
import type { ViewRebuild } from "#lib/contracts/view-rebuilds";
import { logger } from "#lib/observability/logger";
import { beat, type ClaimedRebuild, claimRebuild, finishRebuild } from "#lib/views/rebuild-claim-store";
import { insertRebuild } from "#lib/views/rebuild-store";
import { type RebuildOutcome, type RebuildProgress, rebuildViews } from "./rebuild-views.ts";

const LOOK_MS = 1000;
const BEAT_MS = 500;
/** A worker has other things to do: it rests as long as it works. */
const WORKERS_REST = 1;

/** Runs rebuilds that were asked for, one after another, until the signal aborts; one under way goes back to the queue then. */
export async function runRebuilds(signal: AbortSignal): Promise<void> {
  const runner = randomUUID();
  while (!signal.aborted) {
    const claimed = await claimRebuild(runner);
    if (!claimed) await sleep(LOOK_MS, undefined, { signal }).catch(() => undefined);
    else await run(claimed, runner, { signal, rest: WORKERS_REST }).catch(logFailure);
  }
}

/**
 * Runs a rebuild here and now, seen and stopped like any other.
 *
 * @returns what came of it; `busy` when the workspace has one under way
 */
export async function runRebuildNow(
  workspaceId: WorkspaceId,
  { dryRun, requestedBy, ...options }: { dryRun: boolean; requestedBy: string } & RunOptions,
): Promise<RebuildOutcome | { outcome: "busy"; rebuild: ViewRebuild }> {
  const runner = randomUUID();
  const { outcome, rebuild } = await insertRebuild(workspaceId, { dryRun, requestedBy, runner });
  if (outcome === "busy") return { outcome, rebuild };
  return run({ id: rebuild.id, workspaceId, dryRun }, runner, options);
}

type RunOptions = { signal: AbortSignal; rest: number; onProgress?: (progress: RebuildProgress) => void };

async function run({ id, workspaceId, dryRun }: ClaimedRebuild, runner: string, options: RunOptions): Promise<RebuildOutcome> {
  const abort = new AbortController();
  let progress: RebuildProgress = { phase: "folding", done: 0, total: 0 };
  const pulse = setInterval(() => {
    beat(id, runner, progress)
      .then((goOn) => goOn || abort.abort())
      .catch(() => undefined); // the database is away: the rebuild's own connection will tell
  }, BEAT_MS);
  const onProgress = (latest: RebuildProgress) => {
    progress = latest;
    options.onProgress?.(latest);
  };
  try {
    const signal = AbortSignal.any([options.signal, abort.signal]);
    const result = await rebuildViews(workspaceId, { dryRun, signal, rest: options.rest, onProgress });
    await beat(id, runner, progress);
    await finishRebuild(id, runner, result);
    return result;
  } catch (error) {
    await finishRebuild(id, runner, { outcome: "failed", failure: wordsOf(error) });
    throw error;
  } finally {
    clearInterval(pulse);
  }
}

const logFailure = (error: Error) =>
  logger().error({ reason: error.message }, "a rebuild of the views failed; the views stay as they were");

/** A failure as people are told of it: never SQL. */
const wordsOf = (error: unknown) =>
  (error as { code?: string }).code === "55P03"
    ? "The workers were too busy to pause for the swap within 10 seconds. The views stay as they were. Try again when less comes in."
    : `It ended with an error: ${(error as Error).message.split("\n")[0]?.slice(0, 300)}. The views stay as they were. Try again.`;
