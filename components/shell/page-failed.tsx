"use client";

import { useEffect } from "react";
import { reachSentence, useReach } from "#components/shell/live/reach";
import { ErrorState } from "#components/ui/layout/empty-state";
import { connection } from "#lib/client/connection";

/** Shows on a page that failed what is known, looked at now. */
export function ReachOfFailure({ digest }: { digest: string | undefined }) {
  const reach = useReach();
  useEffect(() => void connection.look(), []);
  return <>{`Internal error. ${reachSentence(reach)}${digest === undefined ? "" : ` Log reference: ${digest}.`}`}</>;
}

/** A page that failed. `retry` asks the server again. */
export const PageFailed = ({ digest, retry }: { digest: string | undefined; retry: () => void }) => (
  <ErrorState what="this page" why={<ReachOfFailure digest={digest} />} onRetry={retry} />
);
