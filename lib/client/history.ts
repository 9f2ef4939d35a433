/** The URLs that typing or dragging went through last: what comes next of it belongs to the same step. */
let gone: string[] = [];

/**
 * What a change of the URL is to Back. `own`: a step of its own; `part`: of typing or dragging, which make one step,
 * however many URLs they go through; `same`: it belongs to the step before.
 */
export type Step = "own" | "part" | "same";

/**
 * Writes a page's state into its URL.
 *
 * @param href the page's new URL, without its origin
 */
export function goTo(href: string, step: Step = "own"): void {
  const { pathname, search } = window.location;
  const here = `${pathname}${search}`;
  const { pathname: path, search: query } = new URL(href, window.location.href);
  const next = `${path}${query}`;
  if (next === here) return;
  // Next may have put an earlier URL of the same step back for a moment.
  const goesOn = step === "part" && gone.includes(here);
  window.history[goesOn || step === "same" ? "replaceState" : "pushState"](null, "", href);
  gone = step === "part" ? [...(goesOn ? gone : []), next] : [];
}
