import type pg from "pg";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { goneBefore } from "#lib/contracts/events/retention";
import type { ViewKind } from "#lib/contracts/views";
import { inTransaction, pool } from "#lib/db/pool";
import { findLogBegin, findPresent } from "#lib/events/log/scan-store";
import { reachOfRetention } from "#lib/flows/views/rebuild/compare-views";
import { listRecords } from "#lib/views/base/adopt-store";
import type { Base } from "#lib/views/base/base";
import { lockBases, mergeIntoBases } from "#lib/views/base/base-store";
import type { KeptView } from "#lib/views/definition/view-columns";
import { adoptNew, hasBases, listWithoutBases, saveBasesSince, type WithoutBases } from "#lib/views/rebuild/fold-store";

const PAGE = 500;
/** No policy is shorter. */
const LEAST_DAYS = 7;

/** The field of the event with which a record begins. Where the log has that event, none before it has left. */
const BEGINS: Partial<Record<ViewKind, string>> = {
  document: "uploadedAt",
  task: "createdAt",
  run: "startedAt",
  pipeline: "firstSeenAt",
};

/**
 * Makes bases of what had left the log before bases were kept: of the fields that such events have set and no later
 * one replaced. What they were before that isn't known any more. Once for each workspace; nothing leaves its log before.
 *
 * @param only this workspace; all when left out
 */
export async function adoptBases(only: WorkspaceId | null = null): Promise<void> {
  await adoptNew();
  for (const workspace of await listWithoutBases(only)) await adopt(workspace);
}

async function adopt(workspace: WithoutBases): Promise<void> {
  const { workspaceId } = workspace;
  const logBegins = await inTransaction(pool("worker"), (client) => findLogBegin(client, workspaceId));
  let after: KeptView | null = hasLost(workspace, logBegins) ? { kind: "document", id: "", registers: {} } : null;
  while (after) {
    const from: KeptView = after;
    after = await inTransaction(pool("worker"), async (client) => {
      await lockBases(client);
      // Another process may have come first, and events may have left the log since.
      if (await hasBases(client, workspaceId)) return null;
      const records = await listRecords(client, workspaceId, from, PAGE);
      await mergeIntoBases(client, workspaceId, await basesOf(client, workspaceId, records, reachOfRetention(logBegins)));
      return records.at(-1) ?? null;
    });
  }
  await saveBasesSince(workspaceId);
}

/** True if events may have left the log: not within the shortest policy, nor while the month of the beginning is there. */
function hasLost({ createdAt }: WithoutBases, logBegins: Date | null): boolean {
  if (createdAt >= goneBefore(LEAST_DAYS, new Date())) return false;
  return logBegins === null || goneBefore(0, logBegins) > goneBefore(0, createdAt);
}

async function basesOf(client: pg.PoolClient, workspaceId: WorkspaceId, records: KeptView[], goneBeforeAt: number): Promise<Base[]> {
  const old = records.flatMap(({ registers }) => Object.values(registers).filter(({ at }) => at < goneBeforeAt));
  const present = await findPresent(client, workspaceId, [...new Set(old.map(({ id }) => id))]);
  return records.flatMap(({ kind, id, registers }) => {
    const entries = Object.entries(registers);
    const gone = entries.filter(([, register]) => register.at < goneBeforeAt && !present.has(register.id));
    const begins = registers[BEGINS[kind] ?? ""];
    if (entries.length === 0 || (gone.length === 0 && begins)) return [];
    const knownFrom = entries.reduce((last, [, { at }]) => Math.max(last, at), 0);
    return [{ kind, id, registers: Object.fromEntries(gone), firstAt: null, knownFrom }];
  });
}
