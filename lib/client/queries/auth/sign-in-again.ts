import { ApiProblem } from "#lib/client/fetch/api-problem";

/** Goes to sign-in when the session has ended, and returns to this page afterwards. Ignores other errors. */
export function signInWhenSessionEnded(error: unknown): void {
  if (!(error instanceof ApiProblem) || error.code !== "unauthenticated" || location.pathname === "/sign-in") return;
  location.assign(`/sign-in?returnTo=${encodeURIComponent(location.pathname + location.search)}`);
}
