import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { ResourceRef } from "#lib/contracts/events/events";
import { type Dead, type FailureNotes, failureNotesOf } from "#lib/flows/issues/record-failures";
import { planDelivery } from "#lib/flows/processing/plan-delivery";
import { readingOf, type SourceReadings } from "#lib/platform/reading/source-reading";
import type { Claimed } from "#lib/processing/inbox-store";
import { FoldBuffer } from "#lib/views/fold/fold-buffer";
import { moveOf, type TaskMove } from "#lib/views/fold/task-moves";
import type { FoldedView } from "#lib/views/view-store";

export type AppliedDelivery = { claimed: Claimed; refs: ResourceRef[]; notes: FailureNotes };

/** Of the parsed payloads, only the parts that are written. */
export type BatchPlan = { applied: AppliedDelivery[]; dead: Dead[]; moves: TaskMove[]; folds: FoldedView[] };

/** Called for each payload that can be read, while it is in memory. */
export type OnParsed = (claimed: Claimed, data: Record<string, unknown>) => void;

/** Plans one event at a time: a payload is parsed, folded and let go, because parsed it may take twenty times its bytes. Pure. */
export function planBatch(batch: Claimed[], readings: SourceReadings, onParsed: OnParsed = () => undefined): BatchPlan {
  const applied: AppliedDelivery[] = [];
  const dead: Dead[] = [];
  const moves: TaskMove[] = [];
  const buffers = new Map<WorkspaceId, FoldBuffer>();
  for (const claimed of batch) {
    const { data, plan } = planDelivery(claimed, readings);
    if (plan.outcome === "touches" || plan.code !== "not_readable") onParsed(claimed, data);
    if (plan.outcome !== "touches") {
      dead.push({ claimed, code: plan.code, text: plan.text });
      continue;
    }
    const { workspaceId } = claimed;
    const buffer = buffers.get(workspaceId) ?? new FoldBuffer();
    buffers.set(workspaceId, buffer);
    buffer.add(plan.touches, claimed.body.length);
    for (const touch of plan.touches) {
      const move = moveOf(workspaceId, touch);
      if (move) moves.push(move);
    }
    applied.push({ claimed, refs: plan.refs, notes: failureNotesOf(claimed, data, readingOf(readings, claimed.sourceId)) });
  }
  const folds = [...buffers].flatMap(([workspaceId, buffer]) => buffer.drain().map((view) => ({ ...view, workspaceId })));
  return { applied, dead, moves, folds };
}
