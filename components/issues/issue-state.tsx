import { BellOff, CircleCheck, CircleDot, Eye } from "lucide-react";
import type { ReactNode } from "react";
import { tellOutcome, toast } from "#components/ui/feedback/toast";
import type { State } from "#components/ui/primitives/badge";
import { useMoveIssue } from "#lib/client/queries/issues";
import { cappedNumber, nounFor } from "#lib/contracts/format-count";
import { ISSUE_FILTERS } from "#lib/contracts/issue-filters";
import type { Issue, IssueAction, IssueCause, IssueState } from "#lib/contracts/issues";

export const STATE_WORDS: Record<IssueState, { word: string; tone: State }> = {
  open: { word: "Open", tone: "failed" },
  acknowledged: { word: "Acknowledged", tone: "attention" },
  resolved: { word: "Resolved", tone: "fine" },
  ignored: { word: "Ignored", tone: "neutral" },
};

export const ACTION_WORDS: Record<IssueAction, { label: string; hint: string; done: string; icon: ReactNode }> = {
  acknowledge: { label: "Acknowledge", hint: "Someone is working on it.", done: "Acknowledged", icon: <Eye aria-hidden /> },
  resolve: { label: "Resolve", hint: "It reopens if it recurs.", done: "Resolved", icon: <CircleCheck aria-hidden /> },
  ignore: { label: "Ignore", hint: "You won't be alerted if it recurs.", done: "Ignored", icon: <BellOff aria-hidden /> },
  reopen: { label: "Reopen", hint: "It returns to the open issues.", done: "Reopened", icon: <CircleDot aria-hidden /> },
};

export const originWords = ({ origin }: Pick<Issue, "origin">) => ISSUE_FILTERS.origin.choices[origin];

export const eventsWords = (count: number) => `${cappedNumber(count)} ${nounFor(count, "event")}`;

/** A suspension's events are those at which it was suspended: what it holds back is counted on the destination's page. */
export function issueEventsWords(issue: Pick<Issue, "origin" | "code" | "count" | "failing" | "repaired">): string {
  const { origin, code, count, failing, repaired } = issue;
  if (count === 0) return "Its events have been deleted";
  if (code === "destination_suspended") return suspensionWords(count, failing);
  if (origin === "processing" && repaired > 0) return `${cappedNumber(count)} failed, ${cappedNumber(repaired)} repaired`;
  if (failing === 0) return `${eventsWords(count)}, none failed now`;
  return failing === count ? eventsWords(count) : `${eventsWords(count)}, ${cappedNumber(failing)} failed now`;
}

function suspensionWords(count: number, failing: number): string {
  const times = count === 1 ? "Suspended once" : `Suspended ${cappedNumber(count)} times`;
  return failing > 0 ? `${times}, suspended now` : `${times}, not suspended now`;
}

/** Returns where it fails, such as `automation auto_1`; null if the event type says enough. */
export function placeWords({ origin, place }: Pick<Issue, "origin" | "place">): string | null {
  if (origin === "schema") return place.slice(place.indexOf(" ") + 1);
  if (origin !== "platform" || place === "") return null;
  return place.replace(/^(automation|run|integration):/, "$1 ");
}

const CAUSE_WORDS: Record<IssueCause, string> = {
  recurred: "Reopened: it recurred",
  settled: "Resolved automatically: its events succeeded",
  expired: "Resolved automatically: its events were deleted",
};

export function stateWords({ state, stateBy, stateCause }: Pick<Issue, "state" | "stateBy" | "stateCause">): string {
  if (stateBy !== null) return state === "open" ? `Reopened by ${stateBy}` : `${STATE_WORDS[state].word} by ${stateBy}`;
  if (stateCause !== null) return CAUSE_WORDS[stateCause];
  return STATE_WORDS[state].word;
}

/** The action that leads back to a state. */
const UNDO: Record<IssueState, IssueAction> = { open: "reopen", acknowledged: "acknowledge", resolved: "resolve", ignored: "ignore" };

export function useIssueAction(issue: Issue): { act: (action: IssueAction) => void; pending: IssueAction | null } {
  const move = useMoveIssue(issue.id);
  const change = (action: IssueAction, done: () => void) => tellOutcome(move.mutateAsync(action), done, "Couldn't change the issue");
  const undo = (state: IssueState) => {
    const back = UNDO[state];
    return { label: "Undo", onClick: () => change(back, () => toast.success(ACTION_WORDS[back].done)) };
  };
  const act = (action: IssueAction) => {
    const { done, hint } = ACTION_WORDS[action];
    const before = issue.state;
    change(action, () => toast.success(done, { description: hint, action: undo(before) }));
  };
  return { act, pending: move.isPending ? move.variables : null };
}
