"use client";

import type { ReactNode } from "react";
import { durationWords } from "#components/ui/time/time-format";
import { fieldId, fieldLine, fieldTime, runDuration } from "#components/views/field-text";
import {
  AssigneeCell,
  ClassificationCell,
  IdCell,
  LinkCell,
  NameCell,
  NumberCell,
  RunCell,
  StateCell,
  TextCell,
  TimeCell,
} from "#components/views/list/view-cells";
import type { ViewKind, ViewRecord } from "#lib/contracts/views";

/** `sorts`: the list can be ordered by it. */
export type Column = { head: string; align?: "right"; sorts?: true; cell: (record: ViewRecord) => ReactNode };

const state: Column = { head: "State", cell: (record) => <StateCell record={record} /> };
const name: Column = { head: "Name", cell: (record) => <NameCell record={record} /> };
const id: Column = { head: "ID", cell: (record) => <IdCell record={record} /> };
const lastEvent: Column = { head: "Last event", align: "right", sorts: true, cell: (record) => <TimeCell at={record.lastEventAt} /> };

const text = (head: string, ...fields: string[]): Column => ({
  head,
  cell: (record) => <TextCell text={fields.map((field) => fieldLine(record, field)).find((line) => line !== null) ?? null} />,
});
const number = (head: string, field: string): Column => ({
  head,
  align: "right",
  cell: (record) => <NumberCell text={fieldLine(record, field)} />,
});
const time = (head: string, field: string): Column => ({
  head,
  align: "right",
  cell: (record) => <TimeCell at={fieldTime(record, field)} />,
});
const link = (head: string, kind: ViewKind, field: string): Column => ({
  head,
  cell: (record) => {
    const id = fieldId(record, field);
    return <LinkCell kind={kind} id={id} name={record.names?.[`${kind}:${id}`]} />;
  },
});
const children = (head: string, counted: (states: Record<string, number>) => number): Column => ({
  head,
  align: "right",
  cell: (record) => <NumberCell text={record.childStates ? String(counted(record.childStates)) : null} />,
});

const total = (states: Record<string, number>) => Object.values(states).reduce((sum, count) => sum + count, 0);
const stages = (record: ViewRecord) => Object.keys(record.fields).filter((field) => field.startsWith("stage:")).length;

export const COLUMNS: Record<ViewKind, readonly Column[]> = {
  document: [state, name, id, text("Organization", "organizationId"), number("Pages", "pages"), lastEvent],
  task: [
    state,
    name,
    { head: "Assignee or team", cell: (record) => <AssigneeCell name={fieldLine(record, "assignee") ?? fieldLine(record, "team")} /> },
    { head: "Classification", cell: (record) => <ClassificationCell record={record} /> },
    link("Pipeline", "pipeline", "pipelineId"),
    text("Stage", "stage"),
    link("Document", "document", "documentId"),
    lastEvent,
  ],
  pipeline: [
    name,
    id,
    { head: "Stages", align: "right", cell: (record) => <NumberCell text={String(stages(record))} /> },
    children("Active", (states) => total(states) - (states.completed ?? 0)),
    children("Completed", (states) => states.completed ?? 0),
    time("Last moved", "lastMovedAt"),
  ],
  automation: [
    state,
    name,
    id,
    children("Runs", total),
    children("Failed runs", (states) => states.error ?? 0),
    time("Last triggered", "lastTriggeredAt"),
    lastEvent,
  ],
  run: [
    state,
    { head: "Run", cell: (record) => <RunCell record={record} /> },
    time("Started", "startedAt"),
    { head: "Duration", align: "right", cell: (record) => <NumberCell text={tookWords(record)} /> },
    {
      head: "Error",
      cell: (record) => <TextCell text={fieldLine(record, "errorMessage") ?? fieldLine(record, "errorCode")} roomy />,
    },
  ],
  integration: [
    state,
    name,
    id,
    { head: "Account", cell: (record) => <TextCell text={fieldLine(record, "account")} roomy /> },
    time("Token refreshed", "lastRefreshAt"),
    time("Last error", "lastErrorAt"),
    lastEvent,
  ],
  record: [state, name, text("Kind", "kind"), text("ID", "recordId"), text("Source", "source"), lastEvent],
};

function tookWords(run: ViewRecord): string | null {
  const ms = runDuration(run);
  return ms === null ? null : durationWords(ms);
}
