import { MISSING_EVENT_FILTERS } from "#lib/contracts/missing-event-filters";
import {
  type MissingEvent,
  type MissingEventResource,
  type MissingEventRule,
  type MissingEventState,
  missingEvent,
} from "#lib/contracts/missing-events";
import { answered, column, columnsSql, type RowOf } from "#lib/db/columns";

const ROW = {
  id: column<string>(),
  rule: column<MissingEventRule>(),
  resourceKind: column<MissingEventResource["kind"]>(),
  resourceId: column<string>(),
  state: column<MissingEventState>(),
  evidence: column<string[]>(),
  detail: column<string>(),
  since: column<Date>(),
  openedAt: column<Date | null>(),
  closedAt: column<Date | null>(),
  dismissedAt: column<Date | null>(),
  dismissedBy: column<string | null>(),
  snoozedBy: column<string | null>(),
  snoozedUntil: column<Date | null>(),
};

export type MissingEventRow = RowOf<typeof ROW>;

export const MISSING_EVENT_COLUMNS = columnsSql(ROW);

export function toMissingEvent(row: MissingEventRow): MissingEvent {
  const { what, why, fix } = ruleLabels(row.rule);
  const resource = { kind: row.resourceKind, id: row.resourceId };
  return answered(missingEvent, { ...row, suspected: true, resource, what, why: row.detail === "" ? why : `${why} ${row.detail}`, fix });
}

const REASONS: Record<MissingEventRule, { why: string; fix: string }> = {
  completed_never_created: {
    why: "task.completed arrived more than 5 minutes ago, and no task.created has arrived for this task.",
    fix: "Find the missing event in the platform's webhook log and send it again from there.",
  },
  processed_never_uploaded: {
    why: "Processing ended more than 5 minutes ago, and no document.uploaded has arrived for this document.",
    fix: "Find the missing event in the platform's webhook log and send it again from there.",
  },
  run_without_end: {
    why: "automation.triggered arrived more than 30 minutes ago, and neither automation.completed nor automation.error has followed.",
    fix: "Check on the platform whether the run is still active. If it has ended, send its last event again from there.",
  },
  stage_never_entered: {
    why: "pipeline.stage_changed names a previous stage, and no event moved the task to that stage.",
    fix: "An earlier move is missing. Send this task's events again from the platform.",
  },
  disconnected_yet_working: {
    why: "integration.disconnected arrived, but the platform renewed access afterwards.",
    fix: "To end access, disconnect the connection in Signalbox. If it was connected again, integration.connected is missing.",
  },
  source_silent: {
    why: "It has sent nothing for much longer than its usual pauses, at an hour when it is usually active.",
    fix: "Check on the platform whether its webhooks are disabled or failing, and send a test event.",
  },
};

export const ruleLabels = (rule: MissingEventRule) => ({ what: MISSING_EVENT_FILTERS.rule.choices[rule], ...REASONS[rule] });
