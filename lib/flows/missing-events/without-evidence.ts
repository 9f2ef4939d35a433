import type pg from "pg";
import { notifySoon } from "#lib/db/notifications";
import { inTransaction, pool } from "#lib/db/pool";
import { findKnown, namedEventText } from "#lib/events/log/event-lookup-store";
import { type Evidence, keepEvidence, listEvidence, type WorkspaceRuleResult } from "#lib/missing-events/missing-event-store";

const BATCH = 1000;

/** Keeps the evidence that the log still has. A candidate without any is dropped, because it can't be checked. */
export async function withKnownEvidence(client: pg.ClientBase, results: WorkspaceRuleResult[]): Promise<WorkspaceRuleResult[]> {
  const named = results.flatMap(({ workspaceId, candidate }) => (candidate?.evidence ?? []).map((eventId) => ({ workspaceId, eventId })));
  const known = await findKnown(client, named);
  return results.map((result) => {
    if (!result.candidate) return result;
    const { workspaceId, candidate } = result;
    const evidence = candidate.evidence.filter((eventId) => known.has(namedEventText({ workspaceId, eventId })));
    return { ...result, candidate: evidence.length > 0 ? { ...candidate, evidence } : null };
  });
}

/** Removes events that have left the log from the evidence, and closes missing events without any other. */
export async function closeWithoutEvidence(): Promise<void> {
  let after: string | null = "";
  while (after !== null) after = await closeNext(after);
}

function closeNext(after: string): Promise<string | null> {
  return inTransaction(pool("worker"), async (client) => {
    const rows = await listEvidence(client, after, BATCH);
    const known = await findKnown(
      client,
      rows.flatMap(({ workspaceId, evidence }) => evidence.map((eventId) => ({ workspaceId, eventId }))),
    );
    const left = ({ workspaceId, evidence }: Evidence) => evidence.filter((eventId) => known.has(namedEventText({ workspaceId, eventId })));
    const changed = rows.flatMap((row) => (left(row).length < row.evidence.length ? [{ ...row, evidence: left(row) }] : []));
    await keepEvidence(client, changed);
    for (const workspaceId of new Set(changed.map((row) => row.workspaceId))) notifySoon(pool("worker"), "applied", workspaceId);
    return rows.at(-1)?.id ?? null;
  });
}
