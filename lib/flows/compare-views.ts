import type pg from "pg";
import type { WorkspaceId } from "#lib/contracts/ids";
import type { ViewDifference } from "#lib/contracts/view-rebuilds";
import { listWaiting } from "#lib/deliveries/waiting-store";
import { findLogBegin, findPresent } from "#lib/events/log-scan-store";
import { type Compared, carryOver, differencesOf, doubtfulRegisters } from "#lib/views/difference";
import { applyTouch } from "#lib/views/fold";
import type { Register } from "#lib/views/register";
import { clearAhead, countMissing, listDiffering, markDiffering, unmark } from "#lib/views/shadow-compare-store";
import { findAhead, saveShadow } from "#lib/views/shadow-store";
import type { KeptView } from "#lib/views/view-columns";
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
 * snapshot. What waits in the inbox counts as applied. A field whose event the
 * log has let go of is carried over into the shadow.
 */
export async function compareViews(client: pg.PoolClient, workspaceId: WorkspaceId): Promise<Comparison> {
  const waiting = await lookAhead(client, workspaceId);
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

/** Notes the live views as they will be when everything in the inbox is applied. @returns how many events wait */
async function lookAhead(client: pg.PoolClient, workspaceId: WorkspaceId): Promise<number> {
  await clearAhead(client);
  let [count, last] = [0, 0];
  for (;;) {
    const events = await listWaiting(client, workspaceId, last, PAGE);
    const touches = events.flatMap(touchesOf);
    const keys = [...new Map(touches.map(({ kind, id }) => [`${kind} ${id}`, { kind, id }])).entries()];
    const ahead = await findAhead(
      client,
      workspaceId,
      keys.map(([, key]) => key),
    );
    for (const touch of touches) {
      const key = `${touch.kind} ${touch.id}`;
      ahead.set(key, applyTouch(ahead.get(key) ?? {}, touch));
    }
    const views = keys.map(([text, key]): KeptView => ({ ...key, registers: ahead.get(text) ?? {} }));
    await saveShadow(client, "views_ahead", workspaceId, views);
    count += events.length;
    last = events.at(-1)?.inboxId ?? last;
    if (events.length < PAGE) return count;
  }
}

/** Carries over what the log no longer holds, and counts what differs still. */
async function explain(client: pg.PoolClient, workspaceId: WorkspaceId, page: Compared[], found: Comparison): Promise<void> {
  const doubtful = page.flatMap((each) => doubtfulRegisters(each).map(([, { id }]) => id));
  const present = await findPresent(client, workspaceId, [...new Set(doubtful)]);
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
 * that way when it was made before its begin, with some room for clocks.
 *
 * @returns Unix seconds
 */
export const reachOfRetention = (logBegins: Date | null): number =>
  logBegins === null ? Number.MAX_SAFE_INTEGER : (logBegins.getTime() + CLOCKS_MS) / 1000;
