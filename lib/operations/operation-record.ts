import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { Operation, OperationKind, OperationState } from "#lib/contracts/operations";
import { column, columnsSql, type RowOf } from "#lib/db/columns";

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

const ROW = {
  id: column<string>(),
  kind: column<StoredKind>(),
  state: column<OperationState>(STATE),
  dryRun: column<boolean>(),
  phase: column<string | null>(),
  done: column<number>(),
  total: column<number>(),
  counts: column<Record<string, number>>(),
  input: column<unknown>(),
  report: column<unknown>(),
  failure: column<string | null>(),
  requestedBy: column<string | null>(),
  createdAt: column<Date>(),
  startedAt: column<Date | null>(),
  finishedAt: column<Date | null>(),
};

export type Row = RowOf<typeof ROW>;

export const COLUMNS = columnsSql(ROW);

export const operationOf = ({ total, createdAt, startedAt, finishedAt, ...row }: Row): StoredOperation => ({
  ...row,
  total: total === 0 ? null : total,
  createdAt: createdAt.toISOString(),
  startedAt: startedAt?.toISOString() ?? null,
  finishedAt: finishedAt?.toISOString() ?? null,
  canStop: row.state === "queued" || row.state === "running",
  canResume: row.kind !== "export" && (row.state === "stopped" || row.state === "failed"),
});

export type ClaimedOperation = Pick<Row, "id" | "kind" | "dryRun" | "input" | "requestedBy" | "done" | "total" | "counts"> & {
  workspaceId: WorkspaceId;
  /** By the database's clock. */
  createdAt: string;
  /** Where it continues, when another process began it. */
  checkpoint: unknown;
};
