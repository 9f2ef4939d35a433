import { type State, StateBadge, StateIcon } from "#components/ui/primitives/badge";
import type { EventState } from "#lib/contracts/events/events";

const WORDS: Record<EventState, readonly [State, string]> = {
  pending: ["working", "Pending"],
  processed: ["fine", "Processed"],
  failed: ["failed", "Failed"],
  unrecognised: ["attention", "Unrecognised"],
};

const REPORTS_FAILURE = ["attention", "Reports failure"] as const;
const REPAIRED = ["fine", "Repaired"] as const;

type EventStateBadgeProps = { state: EventState; reportsFailure?: boolean; repaired?: boolean; quiet?: boolean };

/** Shows an event's state, and what more a processed one tells. `quiet`, for lists: see `QuietState`. */
export function EventStateBadge({ state, reportsFailure = false, repaired = false, quiet = false }: EventStateBadgeProps) {
  const [look, word] = state === "processed" && reportsFailure ? REPORTS_FAILURE : WORDS[state];
  const isRepaired = repaired && word !== REPORTS_FAILURE[1];
  if (quiet) return <QuietState look={look} word={word} repaired={isRepaired} />;
  return (
    <>
      <StateBadge state={look}>{word}</StateBadge>
      {isRepaired ? <StateBadge state={REPAIRED[0]}>{REPAIRED[1]}</StateBadge> : null}
    </>
  );
}

const ICON_ALONE = "@max-[560px]:border-0 @max-[560px]:bg-transparent @max-[560px]:px-0 @max-[560px]:[&>svg]:size-4";

/**
 * Takes the same width whatever the state, so that no column moves when one changes; in a narrow `@container` that of the icon, as on
 * a phone. Success has no colour. Icon and badge begin at the same edge.
 */
function QuietState({ look, word, repaired }: { look: State; word: string; repaired: boolean }) {
  const [shownLook, shownWord] = repaired ? REPAIRED : [look, word];
  return (
    <span
      title={repaired ? `${word}, repaired` : word}
      className="relative z-1 flex h-5 w-4 items-center @min-[560px]:w-20 @min-[860px]:w-32"
    >
      {look === "fine" || repaired ? <span className="sr-only">{word}</span> : null}
      {look === "fine" && !repaired ? (
        <StateIcon state={look} className="text-faint" />
      ) : (
        <StateBadge state={shownLook} className={ICON_ALONE}>
          <span className="@max-[560px]:sr-only">{shownWord}</span>
        </StateBadge>
      )}
    </span>
  );
}
