import type { FoldableEvent } from "#lib/views/fold/plan";

/** The types whose events name their record; what each calls it once the field has moved. */
const MOVED: [type: string, count: number, data: (n: number) => Record<string, unknown>][] = [
  ["document.uploaded", 52, (n) => ({ document_ref: `doc_${n}`, organizationId: "org_1", fileName: `Invoice ${n}.pdf` })],
  ["document.processed", 46, (n) => ({ document_ref: `doc_${n}`, organizationId: "org_1", status: "completed" })],
  ["document.deleted", 20, (n) => ({ document_ref: `doc_${n}`, organizationId: "org_1" })],
  ["task.created", 21, (n) => ({ task_ref: `tsk_${n}`, title: `Approve ${n}`, document: { ref: `doc_${n}` }, pipelineId: "pip_1" })],
  ["task.assigned", 20, (n) => ({ task_ref: `tsk_${n}`, assigneeId: "usr_7" })],
  ["task.completed", 20, (n) => ({ task_ref: `tsk_${n}`, finished: "2026-11-21T15:00:00Z" })],
  ["automation.triggered", 30, (n) => ({ execution: { ref: `run_${n}` }, name: "Archive" })],
  ["automation.completed", 28, (n) => ({ execution: { ref: `run_${n}` }, durationMs: 1200 })],
  ["integration.token_refresh", 20, (n) => ({ connector_ref: `int_${n % 3}`, expires: "2026-12-01T00:00:00Z" })],
];

/** Returns so many events lack an ID: of 9 types, four kinds of record. */
export const MOVED_EVENTS = MOVED.reduce((all, [, count]) => all + count, 0);

/** Events of which an ID stands under another name since a moment: 257 of 9 types. */
export const movedEvents = (name = "moved"): FoldableEvent[] =>
  MOVED.flatMap(([type, count, data]) =>
    Array.from({ length: count }, (_, n) => ({ eventId: `evt_${name}_${type}_${n}`, type, created: 1_760_100_000 + n, data: data(n) })),
  );

/** The events of the same records before the field moved. */
export const earlierEvents = (name = "before"): FoldableEvent[] =>
  Array.from({ length: 60 }, (_, n) => [
    {
      eventId: `evt_${name}_d${n}`,
      type: "document.uploaded",
      created: 1_760_000_000 + n,
      data: { documentId: `doc_${n}`, fileName: `Invoice ${n}.pdf` },
    },
    {
      eventId: `evt_${name}_t${n}`,
      type: "task.created",
      created: 1_760_000_000 + n,
      data: { taskId: `tsk_${n}`, title: `Approve ${n}`, pipelineId: "pip_1" },
    },
    {
      eventId: `evt_${name}_a${n}`,
      type: "automation.triggered",
      created: 1_760_000_000 + n,
      data: { automationId: "aut_1", runId: `run_before_${n}` },
    },
  ]).flat();
