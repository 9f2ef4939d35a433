"use client";

import { lazy, Suspense } from "react";
import { PageBody } from "#components/ui/layout/page-header";
import { Button } from "#components/ui/primitives/button";

type Failure = { digest: string | undefined; retry: () => void };

const Plain = ({ retry }: Failure) => (
  <p role="alert">
    Couldn't load this page. <Button onClick={retry}>Try again</Button>
  </p>
);

/** This page is in every page's first load, so its content is loaded only when it is shown. */
const Full = lazy(() =>
  import("#components/shell/page-failed").then(
    ({ PageFailed }) => ({ default: PageFailed }),
    () => ({ default: Plain }),
  ),
);

/** The frame stays, so every other page is one click away. `retry` asks the server again; `reset` would render the same error. */
export default function DashboardError({ error, retry }: { error: Error & { digest?: string }; retry: () => void }) {
  const failure = { digest: error.digest, retry };
  return (
    <PageBody>
      <h1 className="sr-only">This page could not be loaded</h1>
      <Suspense fallback={<Plain {...failure} />}>
        <Full {...failure} />
      </Suspense>
    </PageBody>
  );
}
