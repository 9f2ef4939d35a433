/** The URLs that typing or dragging went through last: what comes next of it belongs to the same step. */
let gone: string[] = [];

/**
 * Effect of a change of the URL on Back. `own`: a step of its own; `part`: of typing or dragging, which make one step,
 * however many URLs they go through; `same`: it belongs to the step before.
 */
export type Step = "own" | "part" | "same";

/**
 * Writes a page's state into its URL.
 *
 * @param href the page's new URL, without its origin
 * @param isShown whether the page shows this URL already; where the browser alone has it, Next is told of it again
 *   (it ignores Back to an entry that is not its own)
 */
export function goTo(href: string, step: Step, isShown: boolean): void {
  const { pathname, search } = window.location;
  const here = `${pathname}${search}`;
  const { pathname: path, search: query } = new URL(href, window.location.href);
  const next = `${path}${query}`;
  if (next === here && isShown) return;
  // Next may have put an earlier URL of the same step back for a moment.
  const goesOn = step === "part" && gone.includes(here);
  const stays = next === here || goesOn || step === "same";
  window.history[stays ? "replaceState" : "pushState"](null, "", href);
  gone = step === "part" ? [...(goesOn ? gone : []), next] : [];
}
