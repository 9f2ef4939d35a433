import type { Operation, OperationState } from "./operations.ts";
import type { RedeliveryProgress } from "./redeliveries.ts";
import type { ViewRebuild } from "./views.ts";

export const isUnderWay = ({ state }: Pick<Operation, "state">): boolean => state === "queued" || state === "running";

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

/** Returns `failed` for a re-delivery that applied nothing of what it tried. */
function stateOfRedelivery({ state, applied, failed }: RedeliveryProgress): OperationState {
  if (state === "running") return "running";
  if (state !== "done") return "stopped";
  return applied === 0 && failed > 0 ? "failed" : "finished";
}

export const operationOfRebuild = ({ dryRun: _dryRun, report: _report, state, total, ...rebuild }: ViewRebuild): Operation => ({
  ...rebuild,
  kind: "rebuild",
  state: state === "done" ? "finished" : state,
  total: total === 0 ? null : total,
  counts: {},
  canStop: state === "queued" || state === "running",
  canResume: state === "stopped" || state === "failed",
});
