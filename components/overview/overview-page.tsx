"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { lazyComponent } from "#components/ui/feedback/lazy-component";
import { Banner } from "#components/ui/feedback/problem-notice";
import { withFallback } from "#components/ui/layout/content-states";
import { PageBody } from "#components/ui/layout/page-header";
import { type State, StateIcon } from "#components/ui/primitives/badge";
import { LinkButton } from "#components/ui/primitives/button";
import { PageLink } from "#components/ui/primitives/page-link";
import { RelativeTime } from "#components/ui/relative-time";
import { changesQuery, useOverview } from "#lib/client/queries/overview";
import { cappedNumber, nounFor } from "#lib/contracts/format-count";
import type { Changes as ChangesSince, Overview } from "#lib/contracts/overview";
import { ConnectionRows, LatestEvents, NewestIssues } from "./overview-lists.tsx";
import { Numbers, Traffic } from "./overview-numbers.tsx";
import type { SetupAccess } from "./setup-steps.tsx";

const SetupSteps = lazyComponent(() => import("./setup-steps.tsx").then((module) => module.SetupSteps));

export function OverviewPage({ access }: { access: SetupAccess }) {
  const { data, fallback } = withFallback(useOverview(), { what: "the overview" });
  if (!data) return fallback;
  // The data's own time, so that server and browser write the same links.
  const now = Date.parse(data.perMinute.at(-1)?.minute ?? "") + 60_000;
  const { connected, firstEvent } = data.setup;
  return (
    <PageBody className="gap-8">
      <Verdict verdict={data.verdict} settingUp={!(connected && firstEvent)} />
      <Conditions conditions={data.conditions} />
      <Setup overview={data} access={access} at="top" />
      {firstEvent ? (
        <>
          {data.notified ? null : <NobodyNotified />}
          <Changes />
          <Numbers overview={data} now={now} />
          <Setup overview={data} access={access} at="below" />
          <NewestIssues
            issues={data.newestIssues}
            open={data.openIssues.processing + data.openIssues.platform + data.openIssues.forwarding}
          />
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

type SetupProps = { overview: Overview; access: SetupAccess; at: "top" | "below" };

/** Shows the set-up steps if one was open when the page loaded, so that finishing the last one neither hides nor moves them. */
function Setup({ overview: { setup, quarantined }, access, at }: SetupProps) {
  const [place] = useState(setup.firstEvent ? "below" : "top");
  const [needed] = useState(!(setup.connected && setup.firstEvent) && !access.closed);
  return needed && place === at ? <SetupSteps setup={setup} quarantined={quarantined} access={access} /> : null;
}

const WORDS = { fine: "All systems normal", attention: "Needs attention", failed: "Action needed" };

type VerdictProps = {
  verdict: Overview["verdict"];
  /** Set-up is not finished, so there is nothing to judge yet. */
  settingUp: boolean;
};

function Verdict({ verdict: { level, sentence, action }, settingUp }: VerdictProps) {
  const early = settingUp && level === "fine";
  const state: State = early ? "neutral" : level;
  return (
    <header className="flex flex-wrap items-center gap-x-4 gap-y-3">
      <div className="flex min-w-0 flex-1 basis-72 items-start gap-3">
        <StateIcon state={state} className="mt-1 size-5" />
        <h1 className="min-w-0 break-words text-20 font-semibold" aria-live="polite">
          {early ? null : <span className="sr-only">{WORDS[level]}. </span>}
          {sentence}
        </h1>
      </div>
      {action === null ? null : (
        <LinkButton href={action.href} variant={level === "failed" ? "primary" : "secondary"}>
          {action.label}
        </LinkButton>
      )}
    </header>
  );
}

function Conditions({ conditions }: { conditions: Overview["conditions"] }) {
  const others = conditions.slice(1);
  if (others.length === 0) return null;
  return (
    <ul aria-label="Also needs attention" className="-mt-4 border-t border-line">
      {others.map(({ level, sentence, action }) => (
        <li key={`${sentence} ${action?.href}`} className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-line py-2">
          <StateIcon state={level} />
          <p className="min-w-0 flex-1 basis-64 break-words">{sentence}</p>
          {action === null ? null : (
            <LinkButton size="sm" href={action.href}>
              {action.label}
            </LinkButton>
          )}
        </li>
      ))}
    </ul>
  );
}

/** Shows changes since this user's last visit, each linked to its list. Nothing at the first visit. */
function Changes() {
  const { data } = useQuery(changesQuery);
  if (!data || data.since === null) return null;
  const items = itemsOf(data, data.since);
  return (
    <section
      aria-label="Since your last visit"
      className="flex flex-wrap items-baseline gap-x-5 gap-y-1 border-y border-line py-2.5 text-13"
    >
      <h2 className="text-muted">
        Since your last visit <RelativeTime at={data.since} />
      </h2>
      {items.length === 0 ? (
        <p className="text-muted">No changes.</p>
      ) : (
        items.map(({ words, href }) => (
          <PageLink
            key={href}
            href={href}
            className="rounded-sm text-accent-text underline decoration-line-strong underline-offset-2 hover:decoration-current"
          >
            {words}
          </PageLink>
        ))
      )}
    </section>
  );
}

function itemsOf(changes: ChangesSince, since: string): { words: string; href: string }[] {
  const { events, openedIssues, resolvedIssues, quarantined, connections } = changes;
  /** The API counts events up to 100,001, the rest up to 1,001. */
  const words = (count: number, noun: string, cap?: number) => `${cappedNumber(count, cap)} ${nounFor(count, noun)}`;
  return [
    { count: openedIssues, words: `${words(openedIssues, "issue")} opened`, href: "/issues" },
    {
      count: resolvedIssues,
      words: `${words(resolvedIssues, "issue")} resolved`,
      href: "/issues?state=resolved",
    },
    { count: connections, words: `${words(connections, "connection")} changed`, href: "/connections" },
    { count: quarantined, words: `${cappedNumber(quarantined)} quarantined`, href: "/quarantine" },
    { count: events, words: words(events, "event", 100_000), href: `/events?from=${encodeURIComponent(since)}` },
  ].filter(({ count }) => count > 0);
}
