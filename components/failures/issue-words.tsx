import { BellOff, CircleCheck, CircleDot, Eye } from "lucide-react";
import type { ReactNode } from "react";
import { formatNumber } from "#components/ui/count";
import type { State } from "#components/ui/state-icon";
import type { Issue, IssueAction, IssueCause, IssueState } from "#lib/contracts/issues";

/** Each state as a word and a tone. */
export const STATE_WORDS: Record<IssueState, { word: string; tone: State }> = {
  open: { word: "Open", tone: "failed" },
  acknowledged: { word: "Acknowledged", tone: "attention" },
  resolved: { word: "Resolved", tone: "fine" },
  ignored: { word: "Ignored", tone: "neutral" },
};

/** What a person may do: the button, what it means, and what is said when it is done. */
export const ACTION_WORDS: Record<IssueAction, { label: string; hint: string; done: string; icon: ReactNode }> = {
  acknowledge: { label: "Acknowledge", hint: "Somebody looks after it.", done: "Acknowledged", icon: <Eye aria-hidden /> },
  resolve: { label: "Resolve", hint: "It opens again when it recurs.", done: "Resolved", icon: <CircleCheck aria-hidden /> },
  ignore: { label: "Ignore", hint: "It stays quiet when it recurs.", done: "Ignored", icon: <BellOff aria-hidden /> },
  reopen: { label: "Reopen", hint: "It stands among the open ones.", done: "Open again", icon: <CircleDot aria-hidden /> },
};

/** Where the failures come from. */
export const originWords = ({ origin }: Pick<Issue, "origin">) =>
  origin === "processing" ? "Could not be applied" : "Reported by the platform";

/** Counts are capped at 1,001 by the API. */
const capped = (count: number) => (count > 1000 ? "1,000+" : formatNumber(count));

export const eventsWords = (count: number) => (count === 1 ? "1 event" : `${capped(count)} events`);

/** How many events, and how many of them stand failed. */
export function countWords({ count, failing }: Pick<Issue, "count" | "failing">): string {
  if (count === 0) return "Its events have left the log";
  if (failing === 0) return `${eventsWords(count)}, none failing now`;
  return failing === count ? eventsWords(count) : `${eventsWords(count)}, ${capped(failing)} failing now`;
}

/** Where it fails, for people: `automation auto_1`; nothing where the type says all. */
export function placeWords({ origin, place }: Pick<Issue, "origin" | "place">): string | null {
  if (origin === "processing" || place === "") return null;
  return place.replace(/^(automation|run|integration):/, "$1 ");
}

const CAUSE_WORDS: Record<IssueCause, string> = {
  recurred: "Open again: it recurred",
  settled: "Resolved by itself: its events succeeded",
  expired: "Resolved by itself: its events have left the log",
};

/** How its state came about. */
export function stateWords({ state, stateBy, stateCause }: Pick<Issue, "state" | "stateBy" | "stateCause">): string {
  if (stateBy !== null) return state === "open" ? `Reopened by ${stateBy}` : `${STATE_WORDS[state].word} by ${stateBy}`;
  if (stateCause !== null) return CAUSE_WORDS[stateCause];
  return state === "open" ? "Open: nobody looks after it yet" : STATE_WORDS[state].word;
}
