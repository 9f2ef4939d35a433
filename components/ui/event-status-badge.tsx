import { StateBadge } from "#components/ui/state-badge";
import type { State } from "#components/ui/state-icon";
import type { EventStatus } from "#lib/contracts/events";

const WORDS: Record<EventStatus, readonly [State, string]> = {
  pending: ["working", "Pending"],
  processed: ["fine", "Processed"],
  failed: ["failed", "Failed"],
  unrecognised: ["attention", "Unrecognised"],
};

/**
 * An event's status in words. An event that was applied but reports a failure
 * of the platform says so instead of "Processed".
 */
export function EventStatusBadge({ status, reportsFailure = false }: { status: EventStatus; reportsFailure?: boolean }) {
  if (status === "processed" && reportsFailure) return <StateBadge state="attention">Reports failure</StateBadge>;
  const [state, word] = WORDS[status];
  return <StateBadge state={state}>{word}</StateBadge>;
}
