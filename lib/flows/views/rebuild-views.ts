import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type pg from "pg";
import { actorName } from "#lib/auth/actor";
import type { Context } from "#lib/auth/audit/audit";
import { AppError, expectFound } from "#lib/contracts/api/app-error";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { asSentence } from "#lib/contracts/as-sentence";
import { type RebuildReport, type ViewRebuild, viewRebuild } from "#lib/contracts/views";
import { answered } from "#lib/db/columns";
import { isLockBusy } from "#lib/db/locks";
import { notifySoon } from "#lib/db/notifications";
import { inSnapshot, OutcomeUnknown, onOwnConnection } from "#lib/db/own-connection";
import { pool } from "#lib/db/pool";
import { firstLineOf } from "#lib/db/unavailable";
import { countLog, findLogBegin } from "#lib/events/log/scan-store";
import { type OperationWork, runClaimed, runQueued, stopOperation } from "#lib/flows/operations/operations";
import { findOperation, insertOperation, listOperations, type StoredOperation } from "#lib/operations/operation-store";
import type { SourceReadings } from "#lib/platform/read-event";
import { listWaiting } from "#lib/processing/backlog-store";
import { listMappedSources, listReadings } from "#lib/sources/reading-store";
import { systemClock } from "#lib/time/clock";
import { type BaseCursor, countFromBases, listBases, saveFold } from "#lib/views/base-store";
import { FoldBuffer } from "#lib/views/fold/fold-buffer";
import { differencesOf } from "#lib/views/record-differences";
import {
  type ComparedMoves,
  clearAhead,
  compareMoves,
  createMoveShadow,
  createShadow,
  hashKinds,
  type KindHash,
  listDiffering,
  markDiffering,
  mergeIntoAhead,
  mergeIntoShadow,
  writeDiffering,
  writeDifferingMoves,
} from "#lib/views/shadow-store";
import { findSettledPosition } from "#lib/views/view-store";
import { adoptBases, LogFold, touchesOf } from "./fold-log.ts";

export type RebuildProgress = { phase: "folding" | "comparing" | "writing"; done: number; total: number };

type RebuildOptions = {
  dryRun: boolean;
  signal: AbortSignal;
  onProgress: (progress: RebuildProgress) => void;
  /** Pause after each batch, as a share of the time that it took; 0 for none. */
  rest: number;
  /** Called before the differences are written; where it throws, none is. */
  beforeWriting?: (client: pg.PoolClient) => Promise<void>;
};

type RebuildOutcome = { outcome: "finished"; report: RebuildReport } | { outcome: "stopped" };

/** Folds the log and the bases into a shadow, compares that with the live views and writes what differs, in one transaction. Workers wait
 * only while differences are written. Stopped or killed at any point, it leaves the live views as they were. */
export async function rebuildViews(workspaceId: WorkspaceId, options: RebuildOptions): Promise<RebuildOutcome> {
  await adoptBases(new Date(systemClock.now()), workspaceId);
  return onOwnConnection(pool("worker"), async (client) => {
    const clock = stopwatch();
    await createShadow(client);
    await createMoveShadow(client);
    const total = await countLog(client, workspaceId);
    let phase: RebuildProgress["phase"] = "folding";
    const onProgress = (done: number) => options.onProgress({ phase, done, total: Math.max(total, done) });
    const readings = await listReadings(workspaceId, client);
    const refile = options.dryRun ? new Set<string>() : await listMappedSources(workspaceId, client);
    const fold = new LogFold(client, workspaceId, { ...options, onProgress, readings, refile });
    await fold.run();
    if (options.signal.aborted) return { outcome: "stopped" };
    const folding = clock();
    phase = "comparing";
    onProgress(fold.folded);
    const checked = await check(client, workspaceId, fold, readings);
    const comparing = clock();
    if (options.signal.aborted) return { outcome: "stopped" };
    const done = (corrected: number, writing: number): RebuildOutcome => ({
      outcome: "finished",
      report: { ...reportOf(checked, fold.folded), corrected, ms: { folding, comparing, writing } },
    });
    if (options.dryRun) return done(0, 0);
    if (countWrong(checked) + countWrong(checked.moves) === 0) {
      await saveFold(client, workspaceId);
      return done(0, 0);
    }
    phase = "writing";
    onProgress(fold.folded);
    return done(await swap(client, workspaceId, { fold, readings, settled: checked.settled, ...options }), clock());
  });
}

const countWrong = ({ missing, surplus, different }: Pick<ComparedMoves, "missing" | "surplus" | "different">) =>
  missing + surplus + different;

/** `settled`: what leaves the log later changes bases at or after this position. */
type Checked = Comparison & { moves: ComparedMoves; settled: string; live: KindHash[]; rebuilt: KindHash[] };

/** Compares live and rebuilt views at one moment, without blocking anything. */
function check(client: pg.PoolClient, workspaceId: WorkspaceId, fold: LogFold, readings: SourceReadings): Promise<Checked> {
  return inSnapshot(pool("worker"), client, null, async () => {
    await refuseChangedReading(client, workspaceId, readings);
    const settled = await findSettledPosition(client);
    await fold.finish();
    await foldBases(client, workspaceId, "0");
    const comparison = await compareAll(client, workspaceId, readings);
    const live = await hashKinds(client, workspaceId, "live");
    return { ...comparison, settled, live, rebuilt: await hashKinds(client, workspaceId, "rebuilt") };
  });
}

const BASES = 500;

/** Folds the bases that changed from a position on: what has left the log, complete as of the snapshot. */
async function foldBases(client: pg.PoolClient, workspaceId: WorkspaceId, from: string): Promise<void> {
  let last: BaseCursor | null = { xid: from, kind: "", id: "" };
  while (last) {
    const page: Awaited<ReturnType<typeof listBases>> = await listBases(client, workspaceId, last, BASES);
    await mergeIntoShadow(client, workspaceId, page.bases);
    last = page.last;
  }
}

/** Refuses changed readings: the shadow was folded with those of the start, and later events were applied with those of now. */
async function refuseChangedReading(client: pg.PoolClient, workspaceId: WorkspaceId, readings: SourceReadings): Promise<void> {
  const now = await listReadings(workspaceId, client);
  if (!isDeepStrictEqual(now, readings)) throw new AppError("conflict", "A source's field mapping changed while the log was replayed");
}

async function compareAll(client: pg.PoolClient, workspaceId: WorkspaceId, readings: SourceReadings) {
  const comparison = await compareViews(client, workspaceId, readings);
  return { ...comparison, moves: await compareMoves(client, workspaceId) };
}

/** Compares again with the workers kept from writing, then swaps. Returns how many records and moves changed. */
async function swap(
  client: pg.PoolClient,
  workspaceId: WorkspaceId,
  {
    fold,
    readings,
    settled,
    beforeWriting,
  }: { fold: LogFold; readings: SourceReadings; settled: string } & Pick<RebuildOptions, "beforeWriting">,
): Promise<number> {
  const corrected = await inSnapshot(pool("worker"), client, "views", async () => {
    await refuseChangedReading(client, workspaceId, readings);
    await fold.finish();
    await foldBases(client, workspaceId, settled);
    const { moves } = await compareAll(client, workspaceId, readings);
    await beforeWriting?.(client);
    const records = await writeDiffering(client, workspaceId);
    await writeDifferingMoves(client, workspaceId);
    await saveFold(client, workspaceId);
    return records + countWrong(moves);
  });
  notifySoon(pool("worker"), "applied", workspaceId);
  return corrected;
}

function reportOf(
  { live, rebuilt, settled: _, logBegins, ...comparison }: Checked,
  events: number,
): Omit<RebuildReport, "corrected" | "ms"> {
  const none = { records: 0, hash: "" };
  const kinds = [...new Set([...live, ...rebuilt].map(({ kind }) => kind))].sort();
  const side = (hashes: KindHash[], kind: string) => {
    const { records, hash } = hashes.find((each) => each.kind === kind) ?? none;
    return { records, hash };
  };
  return {
    ...comparison,
    events,
    kinds: kinds.map((kind) => ({ kind, live: side(live, kind), rebuilt: side(rebuilt, kind) })),
    logBegins: logBegins?.toISOString() ?? null,
  };
}

function stopwatch(): () => number {
  let since = performance.now();
  return () => {
    const ms = Math.round(performance.now() - since);
    since = performance.now();
    return ms;
  };
}

const PAGE = 500;
const SHOWN = 100;

type Comparison = Omit<RebuildReport, "events" | "kinds" | "moves" | "corrected" | "logBegins" | "ms"> & { logBegins: Date | null };

/** Compares the shadow with the live views, field by field, in one snapshot. What waits counts as applied. */
async function compareViews(client: pg.PoolClient, workspaceId: WorkspaceId, readings: SourceReadings): Promise<Comparison> {
  const waiting = await lookAhead(client, workspaceId, readings);
  const counts = await markDiffering(client, workspaceId);
  const differences = [
    ...(await listDiffering(client, workspaceId, "live", SHOWN)).flatMap(differencesOf),
    ...(await listDiffering(client, workspaceId, "missing", SHOWN)).flatMap(differencesOf),
  ].slice(0, SHOWN);
  return {
    ...counts,
    differences,
    carriedFields: await countFromBases(client, workspaceId),
    waiting,
    logBegins: await findLogBegin(client, workspaceId),
  };
}

/** Notes the live views as they will be when all that waits is applied. Returns how many events wait. */
async function lookAhead(client: pg.PoolClient, workspaceId: WorkspaceId, readings: SourceReadings): Promise<number> {
  await clearAhead(client);
  let count = 0;
  for await (const events of listWaiting(client, workspaceId, PAGE)) {
    const folds = new FoldBuffer();
    for (const event of events) folds.add(touchesOf(event, readings), event.body.length);
    await mergeIntoAhead(client, workspaceId, folds.drain());
    count += events.length;
  }
  return count;
}

/** Requests a rebuild, or a check that changes nothing; `busy` comes with the one that runs. */
export async function requestRebuild(
  { actor, audit }: Context,
  dryRun: boolean,
): Promise<{ outcome: "started" | "busy"; rebuild: ViewRebuild }> {
  const requestedBy = actorName(actor);
  const { outcome, operation } = await insertOperation(actor.workspaceId, { kind: "rebuild", dryRun, requestedBy });
  if (outcome === "busy") audit.unchanged();
  else await audit.record({ action: "rebuild.started", target: { kind: "operation", id: operation.id }, after: { dryRun } });
  return { outcome, rebuild: rebuildOf(operation) };
}

/** Stops a rebuild; the views stay as they were. @throws AppError `not_found` */
export async function stopRebuild(context: Context, id: string): Promise<void> {
  await expectFound(findRebuild(context.workspaceId, id), "rebuild with that ID");
  await stopOperation(context, id);
}

/** A worker has other things to do: it rests as long as it works. */
const WORKERS_REST = 1;

export const runRebuilds = (signal: AbortSignal): Promise<void> =>
  runQueued("rebuild", rebuild({ rest: WORKERS_REST }), signal, failureWords);

/** Runs a rebuild here and now, seen and stopped like any other; `busy` when one runs already. */
export async function runRebuildNow(
  workspaceId: WorkspaceId,
  { dryRun, requestedBy, signal, ...options }: { dryRun: boolean; requestedBy: string; signal: AbortSignal } & RunOptions,
): Promise<RebuildOutcome | { outcome: "busy"; rebuild: ViewRebuild }> {
  const runner = randomUUID();
  const { outcome, operation } = await insertOperation(workspaceId, { kind: "rebuild", dryRun, requestedBy, runner });
  if (outcome === "busy") return { outcome, rebuild: rebuildOf(operation) };
  const claimed = { ...operation, workspaceId, done: 0, total: 0, checkpoint: null };
  return runClaimed(claimed, runner, rebuild(options), { signal, failureWords });
}

type RunOptions = { rest: number; onProgress?: (progress: RebuildProgress) => void };

/** Starts from the beginning when claimed again: nothing is written until the last transaction. */
const rebuild =
  ({ rest, onProgress }: RunOptions): OperationWork<RebuildOutcome> =>
  ({ workspaceId, dryRun }, control) =>
    rebuildViews(workspaceId, {
      dryRun,
      signal: control.signal,
      rest,
      beforeWriting: control.expectMine,
      onProgress: (progress) => {
        control.onProgress(progress);
        onProgress?.(progress);
      },
    });

function failureWords(error: unknown): string {
  if (error instanceof OutcomeUnknown)
    return "The connection to the database was lost while the records were being replaced, so the result is unknown. Try again: only records that differ are changed.";
  if (isLockBusy(error))
    return "The workers were too busy to pause for the swap within 10 seconds. The records are unchanged. Try again when traffic is lower.";
  return `${asSentence(`It failed: ${firstLineOf(error)}`)} The records are unchanged. Try again.`;
}

const REBUILDS_SHOWN = 20;

export const listRebuilds = async (workspaceId: WorkspaceId): Promise<ViewRebuild[]> =>
  (await listOperations(workspaceId, "rebuild", { limit: REBUILDS_SHOWN })).data.map(rebuildOf);

export async function findRebuild(workspaceId: WorkspaceId, id: string): Promise<ViewRebuild | null> {
  const found = await findOperation(workspaceId, id);
  return found?.kind === "rebuild" ? rebuildOf(found) : null;
}

export const rebuildOf = (operation: StoredOperation): ViewRebuild =>
  answered(viewRebuild, {
    ...operation,
    state: operation.state === "finished" ? "done" : operation.state,
    phase: operation.phase as ViewRebuild["phase"],
    total: operation.total ?? 0,
    report: operation.report as RebuildReport | null,
  });
