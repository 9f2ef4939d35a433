import { dehydrate, HydrationBoundary, QueryClient, type QueryKey } from "@tanstack/react-query";
import type { ReactNode } from "react";

/**
 * Puts what the server has read into the browser's query cache, so that the
 * first HTML of a page is complete and its hooks fetch nothing.
 */
export function Prefetched({ entries, children }: { entries: readonly (readonly [QueryKey, unknown])[]; children: ReactNode }) {
  const queries = new QueryClient();
  for (const [key, data] of entries) queries.setQueryData(key, data);
  return <HydrationBoundary state={dehydrate(queries)}>{children}</HydrationBoundary>;
}
