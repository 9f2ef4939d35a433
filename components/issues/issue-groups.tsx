import type { Issue } from "#lib/contracts/issues";
import { originWords } from "./issue-labels.tsx";

/** Groupings of the list. `cause` shows issues with a root cause under that cause, above the others. */
export const ISSUE_GROUPS = { cause: "By cause", type: "By event type", source: "By source", origin: "By origin", none: "Not grouped" };
export type IssueGroup = keyof typeof ISSUE_GROUPS;

export const isIssueGroup = (text: string): text is IssueGroup => Object.hasOwn(ISSUE_GROUPS, text);

const KEYS: Partial<Record<IssueGroup, (issue: Issue) => string>> = {
  type: ({ origin, title, type }) => (origin === "forwarding" ? title : type),
  source: ({ source }) => source ?? "No source",
  origin: originWords,
};

/** Returns the issues in groups, in the order of each group's first issue. A single issue gets no heading. */
export function groupsOf(issues: Issue[], by: IssueGroup): { heading: string | null; issues: Issue[] }[] {
  const keyOf = KEYS[by];
  if (!keyOf) return [{ heading: null, issues }];
  return [...Map.groupBy(issues, keyOf)].map(([heading, all]) => ({ heading: all.length > 1 ? heading : null, issues: all }));
}
