import { type State, StateBadge } from "#components/ui/primitives/badge";
import { CONNECTION_FILTERS, type ConnectionState } from "#lib/contracts/connection-filters";

const LOOKS: Record<ConnectionState, State> = {
  pending: "neutral",
  connected: "fine",
  expiring: "attention",
  retrying: "working",
  needs_reauthorization: "failed",
  disconnected: "neutral",
};

export function ConnectionStateBadge({ state }: { state: ConnectionState }) {
  return <StateBadge state={LOOKS[state]}>{CONNECTION_FILTERS.state.choices[state]}</StateBadge>;
}
