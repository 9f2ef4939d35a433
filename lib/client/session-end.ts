import { onlineManager } from "@tanstack/react-query";
import { ApiProblem } from "./fetcher.ts";

let leaving = false;

export const isPageLeft = (): boolean => leaving;

export const onPageLeft = onlineManager.subscribe;

/**
 * Marks that this page is being left and its session ends. Until the next page no query runs, the feed is closed, and a response
 * without a session doesn't redirect to sign-in: that would cancel the navigation and drop the next session's cookie.
 */
export function leavePage(): void {
  setLeaving(true);
  window.addEventListener("pageshow", stayWhenShownAgain);
}

/** Undoes `leavePage`. Changes nothing on a page that is not being left: the browser may be offline. */
export const stayOnPage = (): void => setLeaving(false);

/** Back may restore a page that was left. */
function stayWhenShownAgain({ persisted }: PageTransitionEvent): void {
  if (persisted) stayOnPage();
}

function setLeaving(isLeaving: boolean): void {
  if (isLeaving === leaving) return;
  leaving = isLeaving;
  onlineManager.setOnline(!isLeaving);
}

/** Redirects to sign-in if the session has ended, and back afterwards. Ignores other errors, and a page that is being left. */
export function signInWhenSessionEnded(error: unknown): void {
  if (isPageLeft() || !(error instanceof ApiProblem) || error.code !== "unauthenticated" || location.pathname === "/sign-in") return;
  location.assign(`/sign-in?returnTo=${encodeURIComponent(location.pathname + location.search)}`);
}
