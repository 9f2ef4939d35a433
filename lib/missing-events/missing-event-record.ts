import { MISSING_EVENT_FILTERS } from "#lib/contracts/missing-event-filters";
import type { MissingEvent, MissingEventResource, MissingEventRule, MissingEventState } from "#lib/contracts/missing-events";

export type MissingEventRow = {
  id: string;
  rule: MissingEventRule;
  resource_kind: MissingEventResource["kind"];
  resource_id: string;
  state: MissingEventState;
  evidence: string[];
  detail: string;
  since: Date;
  opened_at: Date | null;
  closed_at: Date | null;
  dismissed_at: Date | null;
  dismissed_by: string | null;
  snoozed_by: string | null;
  snoozed_until: Date | null;
};

export function toMissingEvent(row: MissingEventRow): MissingEvent {
  const { what, why, fix } = ruleLabels(row.rule);
  return {
    id: row.id,
    rule: row.rule,
    suspected: true,
    state: row.state,
    resource: { kind: row.resource_kind, id: row.resource_id },
    what,
    why: row.detail === "" ? why : `${why} ${row.detail}`,
    fix,
    evidence: row.evidence,
    since: row.since.toISOString(),
    openedAt: row.opened_at?.toISOString() ?? null,
    closedAt: row.closed_at?.toISOString() ?? null,
    dismissedAt: row.dismissed_at?.toISOString() ?? null,
    dismissedBy: row.dismissed_by,
    snoozedBy: row.snoozed_by,
    snoozedUntil: row.snoozed_until?.toISOString() ?? null,
  };
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
