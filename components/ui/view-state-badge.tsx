import { StateBadge } from "#components/ui/state-badge";
import type { State } from "#components/ui/state-icon";

const FINE = new Set(["processed", "completed", "connected", "done"]);
/** States in which something is going on. Any other state keeps its own word and no colour. */
const WORKING = new Set(["uploaded", "processing", "created", "assigned", "triggered", "running", "moved", "classified", "active"]);

function lookOf(state: string, failed: boolean): State {
  if (failed) return "failed";
  if (FINE.has(state)) return "fine";
  return WORKING.has(state) ? "working" : "neutral";
}

/** A document's, task's or other view's state. A state that we don't know keeps its own word. */
export function ViewStateBadge({ state, failed = false }: { state: string; failed?: boolean }) {
  const word = state.replaceAll("_", " ");
  return <StateBadge state={lookOf(state, failed)}>{word.charAt(0).toUpperCase() + word.slice(1)}</StateBadge>;
}
