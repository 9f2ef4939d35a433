import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { MissingEventRules } from "#lib/contracts/missing-events";
import { ruleLabels } from "#lib/missing-events/rule-labels";
import { countByRule } from "#lib/missing-events/set-aside-store";

export async function readRules(workspaceId: WorkspaceId): Promise<MissingEventRules> {
  const rules = await countByRule(workspaceId);
  return {
    total: rules.reduce((sum, { count }) => sum + count, 0),
    data: rules.map(({ rule, count, firstAt, lastAt }) => ({
      rule,
      what: ruleLabels(rule).what,
      count,
      firstAt: firstAt.toISOString(),
      lastAt: lastAt.toISOString(),
    })),
  };
}
