/** Margin for the clocks of server and browser, which differ: a read this long before a change may have come after it. Milliseconds. */
const MARGIN_MS = 500;

let changedAt = 0;

/** Notes that something has changed: the feed told of it, or this page did it. */
export function noteChange(): void {
  changedAt = Date.now();
}

/** True when something has changed since. @param readAt milliseconds since 1970 */
export const hasChangedSince = (readAt: number): boolean => changedAt > readAt - MARGIN_MS;
