import { type State, StateBadge, StateIcon } from "#components/ui/primitives/badge";

const FINE = new Set(["processed", "completed", "connected", "done"]);
/** States in which work is in progress. Any other state keeps its own name and has no colour. */
const WORKING = new Set(["uploaded", "processing", "created", "assigned", "triggered", "running", "moved", "classified", "active"]);

function lookOf(state: string, failed: boolean): State {
  if (failed) return "failed";
  if (FINE.has(state)) return "fine";
  return WORKING.has(state) ? "working" : "neutral";
}

type ViewStateBadgeProps = { state: string; failed?: boolean; quiet?: boolean };

/** Shows a record's state. `quiet`, for lists: only failures have a colour. */
export function ViewStateBadge({ state, failed = false, quiet = false }: ViewStateBadgeProps) {
  const word = state.replaceAll("_", " ");
  const shown = word.charAt(0).toUpperCase() + word.slice(1);
  const look = lookOf(state, failed);
  if (!quiet || failed) return <StateBadge state={look}>{shown}</StateBadge>;
  return (
    <span className="inline-flex min-w-0 items-center gap-1.5 text-muted [&>svg]:size-3.5">
      <StateIcon state={look} className="shrink-0 text-faint" />
      <span className="truncate">{shown}</span>
    </span>
  );
}
