"use client";

import { useState } from "react";
import { Changes } from "#components/overview/changes";
import { Conditions } from "#components/overview/conditions";
import { ConnectionRows } from "#components/overview/connection-rows";
import { Durability } from "#components/overview/durability";
import { LatestEvents } from "#components/overview/latest-events";
import { NewestIssues } from "#components/overview/newest-issues";
import { Numbers } from "#components/overview/numbers";
import type { SetupAccess } from "#components/overview/setup/setup-steps";
import { Traffic } from "#components/overview/traffic";
import { Verdict } from "#components/overview/verdict";
import { Banner } from "#components/ui/feedback/banner";
import { ErrorState, LoadingState } from "#components/ui/layout/empty-state";
import { PageBody } from "#components/ui/layout/page-body";
import { lazyComponent } from "#components/ui/lists/lazy-component";
import { LinkButton } from "#components/ui/primitives/link-button";
import { useOverview } from "#lib/client/queries/overview";
import type { Overview } from "#lib/contracts/overview";

const SetupSteps = lazyComponent(() => import("#components/overview/setup/setup-steps").then((module) => module.SetupSteps));

export function OverviewPage({ access }: { access: SetupAccess }) {
  const { data, error, isPending, refetch } = useOverview();
  if (isPending) return <LoadingState what="the overview" />;
  if (!data) return <ErrorState what="the overview" error={error} onRetry={() => void refetch()} />;
  // The data's own time, so that server and browser write the same links.
  const now = Date.parse(data.perMinute.at(-1)?.minute ?? "") + 60_000;
  const { connected, firstEvent } = data.setup;
  return (
    <PageBody className="gap-8">
      <Verdict verdict={data.verdict} settingUp={!(connected && firstEvent)} />
      <Conditions conditions={data.conditions} />
      <Setup overview={data} access={access} />
      {firstEvent ? (
        <>
          {data.notified ? null : <NobodyNotified />}
          <Changes />
          <Numbers overview={data} now={now} />
          <NewestIssues
            issues={data.newestIssues}
            open={data.openIssues.processing + data.openIssues.platform + data.openIssues.forwarding}
          />
          <Traffic perMinute={data.perMinute} />
          <div className="grid gap-8 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
            <LatestEvents />
            <ConnectionRows connections={data.connections} />
          </div>
          <Durability overview={data} />
        </>
      ) : null}
    </PageBody>
  );
}

function NobodyNotified() {
  return (
    <Banner
      action={
        <LinkButton size="sm" href="/settings/alerts">
          Set up alerts
        </LinkButton>
      }
    >
      Nobody is notified yet when something fails.
    </Banner>
  );
}

/** Shows the set-up steps if one was open when the page loaded, so that finishing the last one doesn't hide them. */
function Setup({ overview: { setup, quarantined }, access }: { overview: Overview; access: SetupAccess }) {
  const [needed] = useState(!(setup.connected && setup.firstEvent));
  return needed ? <SetupSteps setup={setup} quarantined={quarantined} access={access} /> : null;
}
