import { QueryCache, QueryClient } from "@tanstack/react-query";
import { ApiProblem } from "#lib/client/api-problem";
import { leaveWhenSignedOut } from "#lib/client/sign-in-again";

const FRESH_MS = 10_000;
const RETRIES = 2;

/** What waiting can't mend is not asked again: the request itself was refused. */
const mayHelp = (error: Error) => !(error instanceof ApiProblem) || error.status === 0 || error.status >= 500;

/** The cache of one page visit. The live feed keeps it fresh; a session that ended leads to sign-in. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({ onError: leaveWhenSignedOut }),
    defaultOptions: {
      queries: {
        staleTime: FRESH_MS,
        retry: (failures, error) => failures < RETRIES && mayHelp(error),
      },
      mutations: { retry: false, onError: leaveWhenSignedOut },
    },
  });
}
