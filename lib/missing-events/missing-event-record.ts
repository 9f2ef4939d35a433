import type { MissingEvent, MissingEventResource, MissingEventRule, MissingEventState } from "#lib/contracts/missing-events";
import { ruleLabels } from "./rule-labels.ts";

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
