import { ApiProblem } from "#lib/client/fetch/api-problem";
import { isPageLeft } from "#lib/client/leaving";

/** Goes to sign-in when the session has ended, and returns to this page afterwards. Ignores other errors, and a page that is being left. */
export function signInWhenSessionEnded(error: unknown): void {
  if (isPageLeft() || !(error instanceof ApiProblem) || error.code !== "unauthenticated" || location.pathname === "/sign-in") return;
  location.assign(`/sign-in?returnTo=${encodeURIComponent(location.pathname + location.search)}`);
}
