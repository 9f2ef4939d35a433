import * as z from "zod/mini";
import { pageOf, pageQuery } from "./api/paging.ts";
import type { RedeliveryProgress } from "./redeliveries.ts";
import type { ViewRebuild } from "./view-rebuilds.ts";

export const operationKind = z.enum(["redelivery", "rebuild", "release", "export", "retry"]);
export type OperationKind = z.infer<typeof operationKind>;

/** queued: waits for a process, at first or after the one that ran it has gone. stopped: by a person, or cut off with its reader. */
export const operationState = z.enum(["queued", "running", "stopped", "finished", "failed"]);
export type OperationState = z.infer<typeof operationState>;

/** `GET /api/v1/operations/{id}`: long work of any kind, how far it has come and what came of it. */
export const operation = z.object({
  id: z.string(),
  kind: operationKind,
  state: operationState,
  /** What it is doing at the moment, of kinds that do one thing after another. */
  phase: z.nullable(z.string()),
  /** Items done, of `total`; null while that is not known. */
  done: z.int(),
  total: z.nullable(z.int()),
  /** What came of the items so far, by word. */
  counts: z.record(z.string(), z.int()),
  requestedBy: z.nullable(z.string()),
  createdAt: z.string(),
  startedAt: z.nullable(z.string()),
  finishedAt: z.nullable(z.string()),
  /** Why it failed, in words. */
  failure: z.nullable(z.string()),
  canStop: z.boolean(),
  canResume: z.boolean(),
});
export type Operation = z.infer<typeof operation>;

/** `GET /api/v1/operations`: those of a kind, newest first. */
export const operationQuery = z.extend(pageQuery, { kind: operationKind });
export type OperationQuery = z.infer<typeof operationQuery>;
export const operationPage = pageOf(operation);

/** True while it waits or runs. */
export const isUnderWay = ({ state }: Pick<Operation, "state">): boolean => state === "queued" || state === "running";

/** A re-delivery as an operation; null for one that was never started. */
export function operationOfRedelivery(redelivery: RedeliveryProgress): Operation | null {
  const { id, state, total, applied, failed, expired, left, requestedBy, createdAt } = redelivery;
  if (state === "held") return null;
  const running = state === "running";
  return {
    id,
    kind: "redelivery",
    state: stateOfRedelivery(redelivery),
    phase: null,
    done: applied + failed + expired,
    total,
    counts: { applied, failed, expired, left },
    requestedBy,
    createdAt,
    startedAt: createdAt,
    finishedAt: null,
    failure: null,
    canStop: running,
    canResume: state === "aborted" && left > 0,
  };
}

/** One that is over and applied nothing of what it tried has failed. */
function stateOfRedelivery({ state, applied, failed }: RedeliveryProgress): OperationState {
  if (state === "running") return "running";
  if (state !== "done") return "stopped";
  return applied === 0 && failed > 0 ? "failed" : "finished";
}

/** A rebuild, as its own addresses answer it, as an operation. */
export const operationOfRebuild = ({ dryRun: _dryRun, report: _report, state, total, ...rebuild }: ViewRebuild): Operation => ({
  ...rebuild,
  kind: "rebuild",
  state: state === "done" ? "finished" : state,
  total: total === 0 ? null : total,
  counts: {},
  canStop: state === "queued" || state === "running",
  canResume: state === "stopped" || state === "failed",
});
