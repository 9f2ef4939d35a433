import { QueryCache, QueryClient } from "@tanstack/react-query";
import { fromPlain } from "#lib/contracts/exact-json";
import { ApiProblem } from "./fetcher.ts";
import { signInWhenSessionEnded } from "./session-end.ts";

const FRESH_MS = 10_000;
const RETRIES = 2;

/** A longer wait is shown instead of waited for. */
const MAX_WAIT_SECONDS = 10;

const waitSeconds = (error: Error) => (error instanceof ApiProblem && error.status === 429 ? error.retryAfterSeconds : null);

/** A rejected request isn't retried. A search that took too long is, once: the database then reads from memory. */
const mayHelp = (error: Error, failures: number) =>
  !(error instanceof ApiProblem) ||
  (error.code === "search_too_slow" && failures === 0) ||
  error.status === 0 ||
  error.status >= 500 ||
  (waitSeconds(error) ?? Number.POSITIVE_INFINITY) <= MAX_WAIT_SECONDS;

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
      // Offline, the default holds a change back and sends it later, even if its dialog was cancelled. This makes it fail.
      mutations: { networkMode: "always", retry: false, onError: signInWhenSessionEnded },
    },
  });
}
