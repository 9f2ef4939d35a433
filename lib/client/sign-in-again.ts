import { ApiProblem } from "#lib/client/api-problem";

/** Leaves for sign-in when the session has ended, to come back to this page afterwards. Other errors are left alone. */
export function leaveWhenSignedOut(error: unknown): void {
  if (!(error instanceof ApiProblem) || error.code !== "unauthenticated" || location.pathname === "/sign-in") return;
  location.assign(`/sign-in?returnTo=${encodeURIComponent(location.pathname + location.search)}`);
}
