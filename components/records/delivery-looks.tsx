import { type State, StateBadge } from "#components/ui/primitives/badge";
import type { DeliveryState } from "#lib/contracts/forwarding/deliveries";

export const DELIVERY_LOOKS: Record<DeliveryState, readonly [State, string]> = {
  waiting: ["working", "Waiting"],
  retrying: ["attention", "Retrying"],
  held: ["neutral", "Held"],
  delivered: ["fine", "Delivered"],
  exhausted: ["failed", "Exhausted"],
  skipped: ["neutral", "Skipped"],
  cancelled: ["neutral", "Cancelled"],
};

export function DeliveryStateBadge({ state }: { state: DeliveryState }) {
  const [look, word] = DELIVERY_LOOKS[state];
  return <StateBadge state={look}>{word}</StateBadge>;
}
