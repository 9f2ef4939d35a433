import type pg from "pg";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { IssueCause } from "#lib/contracts/issues";
import { arraysOf } from "#lib/db/columns";
import { type Fingerprint, stepsOf } from "./issue.ts";

export type Sighting = Fingerprint & { issueId: string; workspaceId: WorkspaceId; eventId: string; words: string; seenAt: Date };

/** Inserts missing issues in the order of their IDs, so that workers don't wait for each other in a circle. */
export async function ensureIssues(client: pg.PoolClient, sightings: Sighting[]): Promise<void> {
  const rows = [...new Map(sightings.map((each) => [each.issueId, each])).values()];
  await client.query({
    name: "issues-ensure",
    text: `INSERT INTO issues (id, workspace_id, origin, code, type, place, words, first_seen_at, last_seen_at, sample_event_id)
      SELECT i, w, o, c, t, p, x, at, at, e
      FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::timestamptz[], $9::text[])
        AS u(i, w, o, c, t, p, x, at, e) ORDER BY i ON CONFLICT (id) DO NOTHING`,
    values: arraysOf(rows, "issueId", "workspaceId", "origin", "code", "type", "place", "words", "seenAt", "eventId"),
  });
}

/** Locks the issues until the transaction ends, in the order of their IDs. */
export async function lockIssues(client: pg.PoolClient, ids: string[]): Promise<void> {
  await client.query({
    name: "issues-lock",
    text: "SELECT 1 FROM issues WHERE id = ANY($1::text[]) ORDER BY id FOR UPDATE",
    values: [ids],
  });
}

/** Records the newest failure of issues that failed again; a resolved one opens again. */
export async function markRecurred(client: pg.PoolClient, sightings: Sighting[], now: Date): Promise<void> {
  const newest = [...new Map(sightings.map((each) => [each.issueId, each])).values()];
  await client.query({
    name: "issues-recurred",
    text: `UPDATE issues SET first_seen_at = least(first_seen_at, u.at), last_seen_at = greatest(last_seen_at, u.at), words = u.words,
        sample_event_id = u.sample, ${automaticStep("recurred", "$5::timestamptz")}
      FROM unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[]) AS u(id, words, sample, at) WHERE issues.id = u.id`,
    values: [...arraysOf(newest, "issueId", "words", "eventId", "seenAt"), now.toISOString()],
  });
}

/** Resolves the issues without a failed event. */
export async function resolveSettled(client: pg.PoolClient, ids: string[], now: Date): Promise<void> {
  await client.query({
    name: "issues-settled",
    text: `UPDATE issues SET ${automaticStep("settled", "$2::timestamptz")} WHERE id = ANY($1::text[]) AND state = ANY($3::text[])
      AND NOT EXISTS (SELECT 1 FROM issue_events e WHERE e.issue_id = issues.id AND e.settled_at IS NULL)`,
    values: [ids, now.toISOString(), stepsOf("settled").from],
  });
}

/** Resolves issues without events, and those that lost a failing one (`lostFailing`) and have no other. What a person reopened otherwise
 * stays open while the log records it. */
export async function resolveExpired(client: pg.PoolClient, ids: string[], lostFailing: string[], now: Date): Promise<void> {
  await client.query({
    name: "issues-expired",
    text: `UPDATE issues SET ${automaticStep("expired", "$2::timestamptz")} WHERE id = ANY($1::text[]) AND state = ANY($3::text[])
      AND NOT EXISTS (SELECT 1 FROM issue_events e WHERE e.issue_id = issues.id AND (e.settled_at IS NULL OR issues.id <> ALL($4::text[])))`,
    values: [ids, now.toISOString(), stepsOf("expired").from, lostFailing],
  });
}

/** Returns the automatic step as assignments; in any other state nothing changes. */
function automaticStep(cause: IssueCause, now: string): string {
  const { from, to } = stepsOf(cause);
  const moves = `state IN (${from.map((state) => `'${state}'`).join(", ")})`;
  return `state = CASE WHEN ${moves} THEN '${to}' ELSE state END, state_at = CASE WHEN ${moves} THEN ${now} ELSE state_at END,
    state_by = CASE WHEN ${moves} THEN NULL ELSE state_by END, state_cause = CASE WHEN ${moves} THEN '${cause}' ELSE state_cause END`;
}

export async function listOpen(client: pg.PoolClient, ids: string[]): Promise<Set<string>> {
  const { rows } = await client.query<{ id: string }>({
    name: "issues-open",
    text: "SELECT id FROM issues WHERE id = ANY($1::text[]) AND state = 'open'",
    values: [ids],
  });
  return new Set(rows.map(({ id }) => id));
}

export async function listUnresolved(client: pg.PoolClient, ids: string[]): Promise<Set<string>> {
  const { rows } = await client.query<{ id: string }>(
    "SELECT id FROM issues WHERE id = ANY($1::text[]) AND state IN ('open', 'acknowledged')",
    [ids],
  );
  return new Set(rows.map(({ id }) => id));
}
