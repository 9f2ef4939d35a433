"use client";

import { useEffect } from "react";
import { reachSentence, useReach } from "#components/shell/live/reach";
import { ErrorState } from "#components/ui/layout/empty-state";
import { connection } from "#lib/client/connection";

export function ReachOfFailure({ digest }: { digest: string | undefined }) {
  const reach = useReach();
  useEffect(() => void connection.look(), []);
  return <>{`Internal error. ${reachSentence(reach)}${digest === undefined ? "" : ` Log reference: ${digest}.`}`}</>;
}

export const PageFailed = ({ digest, retry }: { digest: string | undefined; retry: () => void }) => (
  <ErrorState what="this page" why={<ReachOfFailure digest={digest} />} onRetry={retry} />
);
