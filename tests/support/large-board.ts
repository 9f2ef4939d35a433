import type { WorkspaceId } from "#lib/contracts/api/ids";
import { inTransaction, pool } from "#lib/db/pool";
import { NO_MAPPING } from "#lib/platform/field-names";
import { applyTouch, moveOf, type TaskMove } from "#lib/views/fold/fold";
import { type FoldableEvent, planEvent } from "#lib/views/fold/plan";
import type { Registers } from "#lib/views/fold/register";
import { insertTaskMoves } from "#lib/views/pipeline-store";
import { FOLDED_COLUMNS, foldedParameters, foldedSql, foldedValues, type KeptView } from "#lib/views/stored-record";

export const BIG_PIPELINE = "pipe_big";
const STAGES = ["Inbox", "Review", "Approval", "Booking", "Paid"];
const DAY_S = 86_400;
const BATCH = 5000;

/**
 * Puts a pipeline with so many tasks straight into the views, folded by the
 * product's own code from the events of the last day that would make them: each
 * stands on one of five stages, a third are completed. Ends vacuumed, as a
 * database that has run for a while is.
 */
export async function fillBoard(workspaceId: WorkspaceId, tasks: number): Promise<void> {
  const now = Math.floor(Date.now() / 1000);
  for (let first = 0; first < tasks; first += BATCH) {
    const folded = new Map<string, KeptView>();
    const moves: TaskMove[] = [];
    for (let n = first; n < Math.min(first + BATCH, tasks); n += 1)
      for (const event of eventsOf(n, now)) moves.push(...foldInto(folded, workspaceId, event));
    await inTransaction(pool(), async (client) => {
      const views = [...folded.values()].filter(({ kind }) => kind !== "pipeline" || first === 0);
      const columns = FOLDED_COLUMNS.join(", ");
      await client.query(
        `INSERT INTO views (workspace_id, kind, id, ${columns}) SELECT $1, k, i, ${FOLDED_COLUMNS.map(foldedSql).join(", ")}
           FROM unnest($2::text[], $3::text[], ${foldedParameters(4)}) AS u(k, i, ${columns})`,
        [workspaceId, views.map(({ kind }) => kind), views.map(({ id }) => id), ...foldedValues(views)],
      );
      await insertTaskMoves(client, moves);
    });
  }
  await pool().query("VACUUM (ANALYZE) views, task_moves");
}

/** Applies an event to the records in hand. @returns its moves */
function foldInto(folded: Map<string, KeptView>, workspaceId: WorkspaceId, event: FoldableEvent): TaskMove[] {
  const plan = planEvent(event, NO_MAPPING);
  if (plan.outcome !== "touches") throw new Error(`the board's ${event.type} can't be applied: ${plan.text}`);
  for (const touch of plan.touches) {
    const key = `${touch.kind} ${touch.id}`;
    const before: Registers = folded.get(key)?.registers ?? {};
    folded.set(key, { kind: touch.kind, id: touch.id, registers: applyTouch(before, touch) });
  }
  return plan.touches.flatMap((touch) => moveOf(workspaceId, touch) ?? []);
}

/** The life of the n-th task: made, classified, assigned, moved to its stage, perhaps completed. */
function eventsOf(n: number, now: number): FoldableEvent[] {
  const at = now - 600 - ((n * 7919) % DAY_S);
  const ids = { taskId: `task_big_${n}`, organizationId: "org_acme", pipelineId: BIG_PIPELINE, pipelineName: "Invoices at large" };
  const event = (step: number, type: string, data: Record<string, unknown>): FoldableEvent => ({
    eventId: `evt_big_${n}_${step}`,
    type,
    created: at + step * 60,
    data: { ...ids, ...data },
  });
  const stage = n % STAGES.length;
  return [
    event(0, "task.created", { title: `Check invoice ${10_000 + n} from Nordwind Papier`, documentId: `doc_big_${n}`, stage: STAGES[0] }),
    event(1, "ai.classification_complete", { classification: "invoice.incoming", confidence: 0.97 }),
    event(2, "task.assigned", { assignee: { id: `user_${n % 40}`, name: `Person ${n % 40}` } }),
    ...STAGES.slice(1, stage + 1).map((toStage, index) =>
      event(3 + index, "pipeline.stage_changed", { fromStage: STAGES[index], toStage }),
    ),
    ...(n % 3 === 0 ? [event(8, "task.completed", { completedBy: "Mara" })] : []),
  ];
}
