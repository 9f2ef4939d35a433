import type { Finding, FindingResource, FindingRule, FindingState } from "#lib/contracts/findings";
import { RULE_WORDS } from "./rule-words.ts";

/** A finding as its store reads it. */
export type FindingRow = {
  id: string;
  rule: FindingRule;
  resource_kind: FindingResource["kind"];
  resource_id: string;
  state: FindingState;
  evidence: string[];
  detail: string;
  since: Date;
  opened_at: Date | null;
  closed_at: Date | null;
  dismissed_at: Date | null;
  dismissed_by: string | null;
};

/** A finding as the API shows it, with its rule in words. */
export function toFinding(row: FindingRow): Finding {
  const { what, why, mend } = RULE_WORDS[row.rule];
  return {
    id: row.id,
    rule: row.rule,
    suspected: true,
    state: row.state,
    resource: { kind: row.resource_kind, id: row.resource_id },
    what,
    why: row.detail === "" ? why : `${why} ${row.detail}`,
    mend,
    evidence: row.evidence,
    since: row.since.toISOString(),
    openedAt: row.opened_at?.toISOString() ?? null,
    closedAt: row.closed_at?.toISOString() ?? null,
    dismissedAt: row.dismissed_at?.toISOString() ?? null,
    dismissedBy: row.dismissed_by,
  };
}
