import type { State } from "#components/ui/primitives/badge";
import type { DeliveryState } from "#lib/contracts/forwarding/deliveries";

export const DELIVERY_LOOKS: Record<DeliveryState, State> = {
  waiting: "working",
  retrying: "attention",
  held: "neutral",
  delivered: "fine",
  exhausted: "failed",
  skipped: "neutral",
  cancelled: "neutral",
};
