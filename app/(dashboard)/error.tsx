"use client";

import { ReachOfFailure } from "#components/shell/live/reach";
import { ErrorState } from "#components/ui/layout/empty-state";
import { PageBody } from "#components/ui/layout/page-body";

/** A page failed. The frame stays, so every other page is one click away. `retry` asks the server again; `reset` would render the same error. */
export default function DashboardError({ error, retry }: { error: Error & { digest?: string }; retry: () => void }) {
  return (
    <PageBody>
      <h1 className="sr-only">This page could not be loaded</h1>
      <ErrorState what="this page" why={<ReachOfFailure digest={error.digest} />} onRetry={retry} />
    </PageBody>
  );
}
