import type pg from "pg";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { ViewDifference } from "#lib/contracts/view-rebuilds";
import { findLogBegin, findPresent } from "#lib/events/log/scan-store";
import type { SourceReadings } from "#lib/platform/reading/source-reading";
import { listWaiting } from "#lib/processing/waiting-store";
import type { KeptView } from "#lib/views/definition/view-columns";
import { type Compared, carryOver, differencesOf, unexplainedRegisters } from "#lib/views/fold/difference";
import { FoldBuffer } from "#lib/views/fold/fold-buffer";
import type { Register } from "#lib/views/fold/register";
import { clearAhead, countMissing, listDiffering, markDiffering, unmark } from "#lib/views/rebuild/shadow-compare-store";
import { mergeIntoAhead, saveShadow } from "#lib/views/rebuild/shadow-store";
import { touchesOf } from "./fold-log.ts";

const PAGE = 500;
const SHOWN = 100;
/** The platform's clock may be ahead of ours by this much. */
const CLOCKS_MS = 86_400_000;

export type Comparison = {
  missing: number;
  surplus: number;
  different: number;
  differences: ViewDifference[];
  carriedFields: number;
  waiting: number;
  logBegins: Date | null;
};

/**
 * Compares the shadow with the live views, field by field; call it in one
 * snapshot. What waits counts as applied. A field whose event the
 * log has let go of is carried over into the shadow.
 */
export async function compareViews(client: pg.PoolClient, workspaceId: WorkspaceId, readings: SourceReadings): Promise<Comparison> {
  const waiting = await lookAhead(client, workspaceId, readings);
  const logBegins = await findLogBegin(client, workspaceId);
  const found: Comparison = { missing: 0, surplus: 0, different: 0, differences: [], carriedFields: 0, waiting, logBegins };
  await markDiffering(client, workspaceId);
  let last: Compared | null = null;
  do {
    const page: Compared[] = await listDiffering(client, workspaceId, "live", last, PAGE);
    await explain(client, workspaceId, page, found);
    last = page.at(-1) ?? null;
  } while (last);
  found.missing = await countMissing(client);
  const room = SHOWN - found.differences.length;
  if (room > 0) found.differences.push(...(await listDiffering(client, workspaceId, "missing", null, room)).flatMap(differencesOf));
  return found;
}

/** Notes the live views as they will be when everything that waits is applied. @returns how many events wait */
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

/** Carries over what the log no longer holds, and counts what differs still. */
async function explain(client: pg.PoolClient, workspaceId: WorkspaceId, page: Compared[], found: Comparison): Promise<void> {
  const eventIds = page.flatMap((each) => unexplainedRegisters(each).map(([, { id }]) => id));
  const present = await findPresent(client, workspaceId, [...new Set(eventIds)]);
  const goneBefore = reachOfRetention(found.logBegins);
  const isGone = ({ id, at }: Register) => !present.has(id) && at < goneBefore;
  const explained: Compared[] = [];
  const carriedOver: KeptView[] = [];
  for (const compared of page) {
    const { rebuilt, carried } = carryOver(compared, isGone);
    found.carriedFields += carried;
    if (rebuilt && carried > 0) carriedOver.push({ kind: compared.kind, id: compared.id, registers: rebuilt });
    const differences = differencesOf({ ...compared, rebuilt });
    if (differences.length === 0 && carried > 0) explained.push(compared);
    else if (rebuilt) found.different += 1;
    else found.surplus += 1;
    found.differences.push(...differences.slice(0, SHOWN - found.differences.length));
  }
  await saveShadow(client, "views_shadow", workspaceId, carriedOver);
  if (explained.length > 0) await unmark(client, explained);
}

/**
 * Retention takes the oldest first: an event that the log lacks may have gone
 * that way when it was made before its begin, with some tolerance for clocks.
 *
 * @returns Unix seconds
 */
export const reachOfRetention = (logBegins: Date | null): number =>
  logBegins === null ? Number.MAX_SAFE_INTEGER : (logBegins.getTime() + CLOCKS_MS) / 1000;
