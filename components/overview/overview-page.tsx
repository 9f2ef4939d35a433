"use client";

import { Changes } from "#components/overview/changes";
import { ConnectionRows } from "#components/overview/connection-rows";
import { LatestEvents } from "#components/overview/latest-events";
import { NewestIssues } from "#components/overview/newest-issues";
import { Numbers } from "#components/overview/numbers";
import { SetupSteps } from "#components/overview/setup-steps";
import { Traffic } from "#components/overview/traffic";
import { Verdict } from "#components/overview/verdict";
import { ErrorState, LoadingState } from "#components/ui/empty-state";
import { PageBody } from "#components/ui/page-body";
import { useOverview } from "#lib/client/overview";

/** Is all well, and if not, what first? */
export function OverviewPage({ webhookUrl, canSendTest }: { webhookUrl: string | null; canSendTest: boolean }) {
  const { data, error, isPending, refetch } = useOverview();
  if (isPending) return <LoadingState what="the overview" />;
  if (!data) return <ErrorState what="the overview" error={error} onRetry={() => void refetch()} />;
  // The data's own time: the server and the browser write the same links.
  const now = Date.parse(data.perMinute.at(-1)?.minute ?? "") + 60_000;
  const { connected, firstEvent } = data.setup;
  return (
    <PageBody className="gap-8">
      <Verdict verdict={data.verdict} settingUp={!(connected && firstEvent)} />
      <SetupSteps setup={data.setup} webhookUrl={webhookUrl} canSendTest={canSendTest} />
      {firstEvent ? (
        <>
          <Changes />
          <Numbers overview={data} now={now} />
          <NewestIssues issues={data.newestIssues} />
          <Traffic perMinute={data.perMinute} />
          <div className="grid gap-8 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
            <LatestEvents />
            <ConnectionRows connections={data.connections} />
          </div>
        </>
      ) : null}
    </PageBody>
  );
}
