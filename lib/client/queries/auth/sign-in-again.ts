import { ApiProblem } from "#lib/client/fetch/api-problem";
import { isPageLeft } from "#lib/client/leaving";

/** Redirects to sign-in if the session has ended, and back afterwards. Ignores other errors, and a page that is being left. */
export function signInWhenSessionEnded(error: unknown): void {
  if (isPageLeft() || !(error instanceof ApiProblem) || error.code !== "unauthenticated" || location.pathname === "/sign-in") return;
  location.assign(`/sign-in?returnTo=${encodeURIComponent(location.pathname + location.search)}`);
}
