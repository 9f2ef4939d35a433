/** The URL that typing wrote last: what is typed next belongs to the same step. */
let typed: string | null = null;

/**
 * Writes a page's state into its URL, as a step that Back undoes. Typing and dragging make one step, however many
 * URLs they go through.
 *
 * @param href the page's new URL, without its origin
 * @param continuous it comes from typing or dragging, and more of it may follow
 */
export function goTo(href: string, continuous = false): void {
  const { pathname, search } = window.location;
  const here = `${pathname}${search}`;
  const { pathname: path, search: query } = new URL(href, window.location.href);
  const next = `${path}${query}`;
  if (next === here) return;
  window.history[continuous && typed === here ? "replaceState" : "pushState"](null, "", href);
  typed = continuous ? next : null;
}
