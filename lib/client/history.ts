/** URLs of the current run of typing or dragging. */
let gone: string[] = [];

/** Effect on Back. `own`: a new entry; `part`: of typing or dragging, one entry however many URLs; `same`: belongs to the entry before. */
export type Step = "own" | "part" | "same";

/**
 * Writes a page's state into its URL. `isShown`: the page shows this URL already; if only the browser has it, it is written again
 * for Next, which ignores Back to an entry that it doesn't know.
 */
export function goTo(href: string, step: Step, isShown: boolean): void {
  const { pathname, search } = window.location;
  const here = `${pathname}${search}`;
  const { pathname: path, search: query } = new URL(href, window.location.href);
  const next = `${path}${query}`;
  if (next === here && isShown) return;
  // Next may have restored an earlier URL of the same run for a moment.
  const goesOn = step === "part" && gone.includes(here);
  const stays = next === here || goesOn || step === "same";
  window.history[stays ? "replaceState" : "pushState"](null, "", href);
  gone = step === "part" ? [...(goesOn ? gone : []), next] : [];
}
