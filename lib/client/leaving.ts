import { onlineManager } from "@tanstack/react-query";

let leaving = false;

/** Returns whether this page is being left and its session ends on the way. */
export const isPageLeft = (): boolean => leaving;

/** Calls the listener on each change. @returns what ends that */
export const onPageLeft = onlineManager.subscribe;

/**
 * Notes that this page is being left and that its session ends on the way. Until the next page is there no query runs, the feed
 * is closed, and a response without a session does not lead to sign-in: that would cancel the way, and the next session's cookie with it.
 */
export function leavePage(): void {
  setLeaving(true);
  window.addEventListener("pageshow", stayWhenShownAgain);
}

/** Notes that the page is not left after all. Changes nothing on a page that is not being left: the browser may be offline. */
export const stayOnPage = (): void => setLeaving(false);

/** The browser's Back may show a page that was left as it was. */
function stayWhenShownAgain({ persisted }: PageTransitionEvent): void {
  if (persisted) stayOnPage();
}

function setLeaving(isLeaving: boolean): void {
  if (isLeaving === leaving) return;
  leaving = isLeaving;
  onlineManager.setOnline(!isLeaving);
}
