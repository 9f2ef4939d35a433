import { type State, StateIcon } from "#components/ui/feedback/state-icon";
import { LinkButton } from "#components/ui/primitives/link-button";
import type { Overview } from "#lib/contracts/overview";

const WORDS = { fine: "All systems normal", attention: "Needs attention", failed: "Action needed" };

type VerdictProps = {
  verdict: Overview["verdict"];
  /** Set-up is not finished, so there is nothing to judge yet. */
  settingUp: boolean;
};

export function Verdict({ verdict: { level, sentence, action }, settingUp }: VerdictProps) {
  const early = settingUp && level === "fine";
  const state: State = early ? "neutral" : level;
  return (
    <header className="flex flex-wrap items-center gap-x-4 gap-y-3">
      <div className="flex min-w-0 flex-1 basis-72 items-start gap-3">
        <StateIcon state={state} className="mt-1 size-5" />
        <h1 className="min-w-0 break-words text-20 font-semibold" aria-live="polite">
          {early ? null : <span className="sr-only">{WORDS[level]}. </span>}
          {sentence}
        </h1>
      </div>
      {action === null ? null : (
        <LinkButton href={action.href} variant={level === "failed" ? "primary" : "secondary"}>
          {action.label}
        </LinkButton>
      )}
    </header>
  );
}
