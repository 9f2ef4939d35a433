import { dehydrate, HydrationBoundary, QueryClient, type QueryKey } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { PageBody } from "#components/ui/layout/page-header";
import { toPlain } from "#lib/contracts/exact-numbers";
import { CatchUp } from "./live/live-provider.tsx";

type PrefetchedProps = { entries: readonly (readonly [QueryKey, unknown])[]; children: ReactNode };

/** Puts the server's data into the query cache, so that the first HTML is complete and hooks fetch only what changed meanwhile. */
export function Prefetched({ entries, children }: PrefetchedProps) {
  const queries = new QueryClient();
  for (const [key, data] of entries) queries.setQueryData(key, data);
  return (
    <HydrationBoundary state={dehydrate(queries, { serializeData: toPlain })}>
      {children}
      <CatchUp readAt={Date.now()} />
    </HydrationBoundary>
  );
}

export const PrefetchedPage = (props: PrefetchedProps) => (
  <PageBody>
    <Prefetched {...props} />
  </PageBody>
);
