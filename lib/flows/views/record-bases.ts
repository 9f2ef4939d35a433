import type pg from "pg";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { goneBefore } from "#lib/contracts/events/retention";
import type { ViewKind } from "#lib/contracts/views";
import { inTransaction, pool } from "#lib/db/pool";
import { findLogBegin, findPresent } from "#lib/events/log/scan-store";
import type { ExpiredEvent } from "#lib/events/retention-store";
import { findReadings } from "#lib/sources/reading-store";
import { Pauses } from "#lib/time/waits";
import { type Base, BaseFold } from "#lib/views/base";
import { listRecords, lockBases, mergeIntoBases } from "#lib/views/base-store";
import { adoptNew, hasBases, listWithoutBases, saveBasesSince, type WithoutBases } from "#lib/views/fold-version-store";
import type { KeptView } from "#lib/views/stored-record";
import { touchesOf } from "./fold-log.ts";

const PAGE = 500;
/** No policy is shorter. */
const LEAST_DAYS = 7;

/** Field of the event with which a record begins. While the log has that event, none before it has left. */
const BEGINS: Partial<Record<ViewKind, string>> = {
  document: "uploadedAt",
  task: "createdAt",
  run: "startedAt",
  pipeline: "firstSeenAt",
};

/** Makes bases, once for each workspace, of fields whose events left the log before bases were kept; their earlier values are unknown. */
export async function adoptBases(now: Date, only: WorkspaceId | null = null): Promise<void> {
  await adoptNew();
  for (const workspace of await listWithoutBases(only)) await adopt(workspace, now);
}

async function adopt(workspace: WithoutBases, now: Date): Promise<void> {
  const { workspaceId, createdAt } = workspace;
  const expired = await inTransaction(pool("worker"), async (client) =>
    hasExpired(workspace, await findLogBegin(client, workspaceId), now),
  );
  // Within the shortest policy nothing has left.
  const young = createdAt >= goneBefore(LEAST_DAYS, now);
  let after: KeptView | null = young ? null : { kind: "document", id: "", registers: {} };
  while (after) {
    const from: KeptView = after;
    after = await inTransaction(pool("worker"), async (client) => {
      await lockBases(client);
      // Another process may have come first, and events may have left the log since.
      if (await hasBases(client, workspaceId)) return null;
      const records = await listRecords(client, workspaceId, from, PAGE);
      await mergeIntoBases(client, workspaceId, await basesOf(client, workspaceId, records, expired));
      return records.at(-1) ?? null;
    });
  }
  await saveBasesSince(workspaceId);
}

/** True if events of the first month may have left: the policy has let go of them, or they are not there. */
function hasExpired({ createdAt, retentionDays }: WithoutBases, logBegins: Date | null, now: Date): boolean {
  const first = goneBefore(0, createdAt);
  return goneBefore(retentionDays, now) > first || logBegins === null || goneBefore(0, logBegins) > first;
}

/** Counts a field's event as gone when the log has no key of it, whatever its time: rows stay without keys until their partition goes.
 * @param expired whether events may have left of which no field tells */
async function basesOf(client: pg.PoolClient, workspaceId: WorkspaceId, records: KeptView[], expired: boolean): Promise<Base[]> {
  const ids = records.flatMap(({ registers }) => Object.values(registers).map(({ id }) => id));
  const present = await findPresent(client, workspaceId, [...new Set(ids)]);
  return records.flatMap(({ kind, id, registers }) => {
    const entries = Object.entries(registers);
    const gone = entries.filter(([, register]) => !present.has(register.id));
    const begins = registers[BEGINS[kind] ?? ""];
    if (entries.length === 0 || (gone.length === 0 && (begins || !expired))) return [];
    const knownFrom = entries.reduce((last, [, { at }]) => Math.max(last, at), 0);
    return [{ kind, id, registers: Object.fromEntries(gone), firstAt: null, knownFrom }];
  });
}

/** Keeps what leaving events made of records, as a last rebuild would. The transaction holds the readings and the bases' lock. */
export async function keepBases(client: pg.PoolClient, events: ExpiredEvent[]): Promise<void> {
  if (events.length === 0) return;
  const readings = await findReadings(client, [...new Set(events.map(({ sourceId }) => sourceId))]);
  const fold = new BaseFold();
  const pauses = new Pauses();
  for (const { receivedAt, ...event } of events) {
    fold.add(event.workspaceId, touchesOf({ ...event, receivedAt: new Date(receivedAt) }, readings), event.body.length);
    await pauses.afterPiece();
  }
  for (const [workspaceId, bases] of fold.drain()) await mergeIntoBases(client, workspaceId, bases);
}
