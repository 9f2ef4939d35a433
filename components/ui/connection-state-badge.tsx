import { StateBadge } from "#components/ui/state-badge";
import type { State } from "#components/ui/state-icon";
import type { ConnectionState } from "#lib/contracts/connections";

const WORDS: Record<ConnectionState, readonly [State, string]> = {
  pending: ["neutral", "Not connected"],
  connected: ["fine", "Connected"],
  expiring: ["attention", "Expiring"],
  retrying: ["working", "Retrying"],
  needs_reauthorization: ["failed", "Needs reconnecting"],
  disconnected: ["neutral", "Disconnected"],
};

/** A connection's state in words. */
export function ConnectionStateBadge({ state }: { state: ConnectionState }) {
  const [look, word] = WORDS[state];
  return <StateBadge state={look}>{word}</StateBadge>;
}
