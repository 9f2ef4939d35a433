import type pg from "pg";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { ViewDifference } from "#lib/contracts/view-rebuilds";
import { findLogBegin } from "#lib/events/log/scan-store";
import type { SourceReadings } from "#lib/platform/reading/source-reading";
import { listWaiting } from "#lib/processing/waiting-store";
import { countFromBases } from "#lib/views/base/base-store";
import { differencesOf } from "#lib/views/fold/difference";
import { FoldBuffer } from "#lib/views/fold/fold-buffer";
import { clearAhead, listDiffering, markDiffering } from "#lib/views/rebuild/shadow-compare-store";
import { mergeIntoAhead } from "#lib/views/rebuild/shadow-store";
import { touchesOf } from "./fold-log.ts";

const PAGE = 500;
const SHOWN = 100;

export type Comparison = {
  missing: number;
  surplus: number;
  different: number;
  differences: ViewDifference[];
  carriedFields: number;
  waiting: number;
  logBegins: Date | null;
};

/** Compares the shadow with the live views, field by field, in one snapshot. What waits counts as applied. */
export async function compareViews(client: pg.PoolClient, workspaceId: WorkspaceId, readings: SourceReadings): Promise<Comparison> {
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
