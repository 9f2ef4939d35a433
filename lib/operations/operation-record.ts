import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { Operation, OperationKind, OperationState } from "#lib/contracts/operations";

/** Re-deliveries are the inbox's: it knows how far they have come. */
export type StoredKind = Exclude<OperationKind, "redelivery">;

export type StoredOperation = Operation & { kind: StoredKind; dryRun: boolean; input: unknown; report: unknown };

/** After this long without a heartbeat, its process counts as dead. */
export const SILENCE = "60 seconds";
/** An export waits this long for its download. */
export const READER = "10 minutes";

/** State as it really is: what a dead process ran waits for the next one, but an export has ended. `done` is the older name of finished. */
export const STATE = `CASE
    WHEN state = 'done' THEN 'finished'
    WHEN kind = 'export' AND (state = 'running' AND beat_at < now() - interval '${SILENCE}'
      OR state = 'queued' AND created_at < now() - interval '${READER}') THEN 'stopped'
    WHEN state = 'running' AND beat_at < now() - interval '${SILENCE}' THEN 'queued'
    ELSE state END`;

export const COLUMNS = `id, kind, ${STATE} AS state, dry_run AS "dryRun", phase, done, total, counts, input, report, failure,
  requested_by AS "requestedBy", created_at AS "createdAt", started_at AS "startedAt", finished_at AS "finishedAt"`;

export type Row = {
  id: string;
  kind: StoredKind;
  state: OperationState;
  dryRun: boolean;
  phase: string | null;
  done: number;
  total: number;
  counts: Record<string, number>;
  input: unknown;
  report: unknown;
  failure: string | null;
  requestedBy: string | null;
  createdAt: Date;
  startedAt: Date | null;
  finishedAt: Date | null;
};

export const operationOf = ({ total, createdAt, startedAt, finishedAt, ...row }: Row): StoredOperation => ({
  ...row,
  total: total === 0 ? null : total,
  createdAt: createdAt.toISOString(),
  startedAt: startedAt?.toISOString() ?? null,
  finishedAt: finishedAt?.toISOString() ?? null,
  canStop: row.state === "queued" || row.state === "running",
  canResume: row.kind !== "export" && (row.state === "stopped" || row.state === "failed"),
});

export type ClaimedOperation = {
  id: string;
  workspaceId: WorkspaceId;
  kind: StoredKind;
  dryRun: boolean;
  input: unknown;
  requestedBy: string | null;
  /** By the database's clock. */
  createdAt: string;
  /** Progress, and where it continues, when another process began it. */
  done: number;
  total: number;
  counts: Record<string, number>;
  checkpoint: unknown;
};
