import { StateBadge } from "#components/ui/state-badge";
import type { State } from "#components/ui/state-icon";

const FINE = new Set(["processed", "completed", "connected", "done"]);
const WORKING = new Set(["uploaded", "processing", "created", "assigned", "triggered", "running", "moved", "classified", "active"]);
const NEUTRAL = new Set(["unknown", "deleted", "disconnected"]);

function lookOf(state: string, failed: boolean): State {
  if (failed) return "failed";
  if (FINE.has(state)) return "fine";
  if (WORKING.has(state)) return "working";
  return NEUTRAL.has(state) ? "neutral" : "working";
}

/** A document's, task's or other view's state. A state that we don't know keeps its own word. */
export function ViewStateBadge({ state, failed = false }: { state: string; failed?: boolean }) {
  const word = state.replaceAll("_", " ");
  return <StateBadge state={lookOf(state, failed)}>{word.charAt(0).toUpperCase() + word.slice(1)}</StateBadge>;
}
