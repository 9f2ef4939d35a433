import { type IssueAction, type IssueCause, type IssueState, issueAction } from "#lib/contracts/issues";

/** Occurrences of an issue: actions of people, and automatic changes. */
export type IssueOccurrence = IssueAction | IssueCause;

/**
 * Every transition of an issue. What is not listed changes nothing: an ignored
 * kind of failure may come and go, and an acknowledged one that recurs stays
 * acknowledged.
 */
export const TRANSITIONS = {
  open: { acknowledge: "acknowledged", resolve: "resolved", ignore: "ignored", settled: "resolved", expired: "resolved" },
  acknowledged: { resolve: "resolved", ignore: "ignored", reopen: "open", settled: "resolved", expired: "resolved" },
  resolved: { ignore: "ignored", reopen: "open", recurred: "open" },
  ignored: { acknowledge: "acknowledged", resolve: "resolved", reopen: "open" },
} as const satisfies Record<IssueState, Partial<Record<IssueOccurrence, IssueState>>>;

const STATES = Object.keys(TRANSITIONS) as IssueState[];

/** The state that follows; null when it changes nothing. */
export function nextIssueState(state: IssueState, occurrence: IssueOccurrence): IssueState | null {
  return (TRANSITIONS[state] as Partial<Record<IssueOccurrence, IssueState>>)[occurrence] ?? null;
}

/** Returns what a person may do with an issue in that state. */
export const actionsIn = (state: IssueState): IssueAction[] =>
  issueAction.options.filter((action) => nextIssueState(state, action) !== null);

/** The states that an occurrence leaves, and the one that it leads to from each of them; for a guarded update. */
export function stepsOf(occurrence: IssueOccurrence): { from: IssueState[]; to: IssueState } {
  const from = STATES.filter((state) => nextIssueState(state, occurrence) !== null);
  const to = from[0] && nextIssueState(from[0], occurrence);
  if (!to) throw new Error(`Nothing allows "${occurrence}".`);
  return { from, to };
}
