import { onlineManager } from "@tanstack/react-query";
import { ApiProblem } from "#lib/client/fetch/api-problem";

let leaving = false;

/** Goes to sign-in when the session has ended, and returns to this page afterwards. Ignores other errors, and a page that is being left. */
export function signInWhenSessionEnded(error: unknown): void {
  if (leaving || !(error instanceof ApiProblem) || error.code !== "unauthenticated" || location.pathname === "/sign-in") return;
  location.assign(`/sign-in?returnTo=${encodeURIComponent(location.pathname + location.search)}`);
}

/**
 * Notes that this page is being left and that its session ends on the way. Until the next page is there no query runs, and a
 * response without a session does not lead to sign-in: that would cancel the way, and the cookie of the next session with it.
 */
export function leavePage(): void {
  setLeaving(true);
  window.addEventListener("pageshow", stayWhenShownAgain);
}

/** Notes that the page is not left after all. */
export const stayOnPage = (): void => setLeaving(false);

/** The browser's Back may show a page that was left as it was. */
function stayWhenShownAgain({ persisted }: PageTransitionEvent): void {
  if (persisted) stayOnPage();
}

function setLeaving(isLeaving: boolean): void {
  leaving = isLeaving;
  onlineManager.setOnline(!isLeaving);
}
