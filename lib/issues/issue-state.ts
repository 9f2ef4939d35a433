import { type IssueAction, type IssueCause, type IssueState, issueAction } from "#lib/contracts/issues";

export type IssueOccurrence = IssueAction | IssueCause;

/** Every transition. Others change nothing: an ignored failure may recur, and an acknowledged one that recurs stays acknowledged. */
export const TRANSITIONS = {
  open: { acknowledge: "acknowledged", resolve: "resolved", ignore: "ignored", settled: "resolved", expired: "resolved" },
  acknowledged: { resolve: "resolved", ignore: "ignored", reopen: "open", settled: "resolved", expired: "resolved" },
  resolved: { ignore: "ignored", reopen: "open", recurred: "open" },
  ignored: { acknowledge: "acknowledged", resolve: "resolved", reopen: "open" },
} as const satisfies Record<IssueState, Partial<Record<IssueOccurrence, IssueState>>>;

const STATES = Object.keys(TRANSITIONS) as IssueState[];

export function nextIssueState(state: IssueState, occurrence: IssueOccurrence): IssueState | null {
  return (TRANSITIONS[state] as Partial<Record<IssueOccurrence, IssueState>>)[occurrence] ?? null;
}

export const actionsIn = (state: IssueState): IssueAction[] =>
  issueAction.options.filter((action) => nextIssueState(state, action) !== null);

/** Returns the states that an occurrence leaves and the one that it leads to, for a guarded update. */
export function stepsOf(occurrence: IssueOccurrence): { from: IssueState[]; to: IssueState } {
  const from = STATES.filter((state) => nextIssueState(state, occurrence) !== null);
  const to = from[0] && nextIssueState(from[0], occurrence);
  if (!to) throw new Error(`Nothing allows "${occurrence}".`);
  return { from, to };
}
