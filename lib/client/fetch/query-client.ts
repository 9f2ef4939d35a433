import { QueryCache, QueryClient } from "@tanstack/react-query";
import { signInWhenSessionEnded } from "#lib/client/queries/auth/sign-in-again";
import { fromPlain } from "#lib/contracts/json/exact-json";
import { ApiProblem } from "./api-problem.ts";

const FRESH_MS = 10_000;
const RETRIES = 2;

/** A reader waits so long for a turn of theirs; a longer wait is said. */
const MAX_WAIT_SECONDS = 10;

const waitSeconds = (error: Error) => (error instanceof ApiProblem && error.status === 429 ? error.retryAfterSeconds : null);

/** Problems that a short wait can't fix are not retried: the request itself was rejected. A search that took too long reads from memory then. */
const mayHelp = (error: Error, failures: number) =>
  !(error instanceof ApiProblem) ||
  (error.code === "search_too_slow" && failures === 0) ||
  error.status === 0 ||
  error.status >= 500 ||
  (waitSeconds(error) ?? Number.POSITIVE_INFINITY) <= MAX_WAIT_SECONDS;

/** The cache of one page visit. The live feed keeps it fresh; an ended session redirects to sign-in. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({ onError: signInWhenSessionEnded }),
    defaultOptions: {
      hydrate: { deserializeData: fromPlain },
      queries: {
        staleTime: FRESH_MS,
        retry: (failures, error) => failures < RETRIES && mayHelp(error, failures),
        retryDelay: (failures, error) => 1000 * (waitSeconds(error) ?? 2 ** failures),
      },
      // Offline, the default holds a change back and sends it later, even when its dialog was cancelled: it fails instead.
      mutations: { networkMode: "always", retry: false, onError: signInWhenSessionEnded },
    },
  });
}
