import type { State } from "#components/ui/feedback/state-icon";
import type { DeliveryState } from "#lib/contracts/forwarding/deliveries";
import { StateBadge } from "./state-badge.tsx";

const WORDS: Record<DeliveryState, readonly [State, string]> = {
  waiting: ["working", "Waiting"],
  retrying: ["attention", "Retrying"],
  held: ["neutral", "Held"],
  delivered: ["fine", "Delivered"],
  exhausted: ["failed", "Exhausted"],
  skipped: ["neutral", "Skipped"],
  cancelled: ["neutral", "Cancelled"],
};

/** The badge of a delivery's state. */
export function DeliveryStateBadge({ state }: { state: DeliveryState }) {
  const [look, word] = WORDS[state];
  return <StateBadge state={look}>{word}</StateBadge>;
}
