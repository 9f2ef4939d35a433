import { LinkButton } from "#components/ui/link-button";
import { type State, StateIcon } from "#components/ui/state-icon";
import type { Overview } from "#lib/contracts/overview";

const WORDS = { fine: "All is well", attention: "Worth a look", failed: "Act now" };

type VerdictProps = {
  verdict: Overview["verdict"];
  /** Not everything is set up: nothing can be well or ill yet. */
  settingUp: boolean;
};

/** Is all well? One sentence, the worst thing first, with its button. It is the page's heading. */
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
