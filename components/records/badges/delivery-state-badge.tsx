import type { State } from "#components/ui/feedback/state-icon";
import type { DeliveryState } from "#lib/contracts/forwarding/deliveries";
import { StateBadge } from "./state-badge.tsx";

export const DELIVERY_LOOKS: Record<DeliveryState, State> = {
  waiting: "working",
  retrying: "attention",
  held: "neutral",
  delivered: "fine",
  exhausted: "failed",
  skipped: "neutral",
  cancelled: "neutral",
};

const WORDS: Record<DeliveryState, string> = {
  waiting: "Waiting",
  retrying: "Retrying",
  held: "Held",
  delivered: "Delivered",
  exhausted: "Exhausted",
  skipped: "Skipped",
  cancelled: "Cancelled",
};

export function DeliveryStateBadge({ state }: { state: DeliveryState }) {
  return <StateBadge state={DELIVERY_LOOKS[state]}>{WORDS[state]}</StateBadge>;
}
