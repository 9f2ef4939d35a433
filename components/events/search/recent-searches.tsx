/** Keys that begin with `signalbox.recent.` are removed at sign-out: the next person at this browser must not see them. */
const KEY = "signalbox.recent.searches";
/** Key of earlier versions, which sign-out did not remove. */
const EARLIER_KEY = "signalbox.events.recent-searches";
const MAX_SEARCHES = 5;
const SHORTEST = 3;

export function recentSearches(): string[] {
  try {
    localStorage.removeItem(EARLIER_KEY);
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(kept) ? kept.filter((each) => typeof each === "string").slice(0, MAX_SEARCHES) : [];
  } catch {
    return [];
  }
}

export function rememberSearch(q: string): void {
  const text = q.trim();
  if (text.length < SHORTEST || text.endsWith(":")) return;
  try {
    localStorage.setItem(KEY, JSON.stringify([text, ...recentSearches().filter((each) => each !== text)].slice(0, MAX_SEARCHES)));
  } catch {} // a browser without storage has no recent searches
}
