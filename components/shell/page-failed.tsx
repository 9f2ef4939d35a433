import { useEffect } from "react";
import { ErrorState } from "#components/ui/layout/content-states";
import { connection } from "#lib/client/connection";
import { reachSentence, useReach } from "./live/connection.tsx";

export function ReachOfFailure({ digest }: { digest: string | undefined }) {
  const reach = useReach();
  useEffect(() => void connection.look(), []);
  return <>{`Internal error. ${reachSentence(reach)}${digest === undefined ? "" : ` Log reference: ${digest}.`}`}</>;
}

export const PageFailed = ({ digest, retry }: { digest: string | undefined; retry: () => void }) => (
  <ErrorState what="this page" why={<ReachOfFailure digest={digest} />} onRetry={retry} />
);
