"use client";

import { ErrorState } from "#components/ui/empty-state";
import { PageBody } from "#components/ui/page-body";

/** A page failed; the frame stands, so that every other page is a click away. `retry` asks the server again; `reset` would draw the same failure. */
export default function DashboardError({ error, retry }: { error: Error & { digest?: string }; retry: () => void }) {
  const where = error.digest === undefined ? "" : ` It is in the log as ${error.digest}.`;
  return (
    <PageBody>
      <h1 className="sr-only">This page could not be loaded</h1>
      <ErrorState what="this page" error={new Error(`An error on our side. Webhooks are still received.${where}`)} onRetry={retry} />
    </PageBody>
  );
}
