import { StateBadge } from "#components/records/state-badge";
import { type State, StateIcon } from "#components/ui/primitives/badge";
import type { EventState } from "#lib/contracts/events/events";

const WORDS: Record<EventState, readonly [State, string]> = {
  pending: ["working", "Pending"],
  processed: ["fine", "Processed"],
  failed: ["failed", "Failed"],
  unrecognised: ["attention", "Unrecognised"],
};

type EventStateBadgeProps = { state: EventState; reportsFailure?: boolean; repaired?: boolean; quiet?: boolean };

/** Shows an event's state, or what more a processed one tells. `quiet`, for lists: success has no colour. */
export function EventStateBadge({ state, reportsFailure = false, repaired = false, quiet = false }: EventStateBadgeProps) {
  if (state === "processed" && reportsFailure) return <StateBadge state="attention">Reports failure</StateBadge>;
  if (state === "processed" && repaired) return <StateBadge state="fine">Repaired</StateBadge>;
  const [look, word] = WORDS[state];
  if (quiet && state === "processed") {
    return (
      <span title={word} className="relative z-1 inline-flex h-5 items-center px-1.5">
        <StateIcon state={look} className="text-faint" />
        <span className="sr-only">{word}</span>
      </span>
    );
  }
  return <StateBadge state={look}>{word}</StateBadge>;
}
