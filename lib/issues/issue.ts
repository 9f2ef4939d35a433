import { createHash } from "node:crypto";
import { type IssueAction, type IssueCause, type IssueOrigin, type IssueState, issueAction } from "#lib/contracts/issues";

export type Fingerprint = { origin: IssueOrigin; code: string; type: string; place: string };

const MAX_PLACE = 200;

/** Returns the same ID for the same failure: `iss_` and 24 hexadecimal digits (96 bits). */
export function issueIdOf(workspaceId: string, { origin, code, type, place }: Fingerprint): string {
  const hash = createHash("sha256").update(JSON.stringify([workspaceId, origin, code, type, place]));
  return `iss_${hash.digest("hex").slice(0, 24)}`;
}

/** Removes what differs from event to event: quoted text, IDs and numbers. Failures with the same words left are the same. */
export function wordsWithoutParticulars(text: string): string {
  return text
    .replace(/"[^"]*"|'[^']*'|“[^”]*”/g, "…")
    .replace(/\b\w*\d[\w-]*/g, "…")
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, MAX_PLACE)
    .toWellFormed();
}

export type IssueOccurrence = IssueAction | IssueCause;

/** Every transition. Others change nothing: an ignored failure may recur, and an acknowledged one that recurs stays acknowledged. */
const TRANSITIONS = {
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
