"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { CircleCheck } from "lucide-react";
import { useState } from "react";
import { FilterRow } from "#components/records/filters/filter-row";
import { SnoozeMenu } from "#components/records/snooze-menu";
import { ErrorState, NothingMatches, NothingYet, Refreshing } from "#components/ui/layout/content-states";
import { Section } from "#components/ui/layout/section";
import { LoadOlder, paged } from "#components/ui/lists/paging";
import { type State, StateBadge, StateIcon } from "#components/ui/primitives/badge";
import { RowButton } from "#components/ui/primitives/button";
import { TextLink } from "#components/ui/primitives/page-link";
import { RelativeTime } from "#components/ui/relative-time";
import { durationWords } from "#components/ui/time-format";
import { alertsQuery, useSnoozeAlert } from "#lib/client/queries/alerts";
import { ALERT_COUNT_CAP, ALERT_FILTERS, type AlertFilter, amountWords } from "#lib/contracts/alert-rules";
import type { Alert, AlertNotificationKind, AlertSend, AlertSendState } from "#lib/contracts/alerts";
import { cappedNumber } from "#lib/contracts/format-count";
import { ChannelsSection } from "./alert-channels.tsx";
import { RulesSection } from "./alert-rules.tsx";

/** `types`: those that a rule may be limited to. */
export function AlertsPage({ canManage, types }: { canManage: boolean; types: string[] }) {
  return (
    <>
      <ChannelsSection canManage={canManage} />
      <RulesSection canManage={canManage} types={types} />
      <SentSection canManage={canManage} />
    </>
  );
}

function SentSection({ canManage }: { canManage: boolean }) {
  const [filter, setFilter] = useState<AlertFilter>({});
  const query = useInfiniteQuery(alertsQuery({ ...filter, grouped: true }));
  const { rows: alerts, fallback } = paged(query, { what: "alerts", rows: 3 });
  const filtered = filter.state !== undefined || filter.rule !== undefined;
  return (
    <Section
      title="Recent alerts"
      description="What alerted, who was notified and whether the messages arrived. Alerts about one issue or subject stand together. Kept for 90 days after an alert ends."
    >
      <FilterRow what="alerts" filters={ALERT_FILTERS} filter={filter} onChange={setFilter} />
      {alerts.length > 0 ? (
        <Refreshing busy={query.isPlaceholderData}>
          <ul aria-label="Alerts, newest first" className="border-t border-line">
            {alerts.map((alert) => (
              <AlertRow key={alert.id} alert={alert} canManage={canManage} />
            ))}
          </ul>
          <LoadOlder query={query} className="mt-3" />
        </Refreshing>
      ) : fallback ? (
        fallback
      ) : filtered ? (
        <NothingMatches what="alerts" onClear={() => setFilter({})}>
          Try another state or rule.
        </NothingMatches>
      ) : (
        <NothingYet icon={<CircleCheck className="text-fine!" />} title="No alerts yet">
          Nothing has triggered an alert so far.
        </NothingYet>
      )}
    </Section>
  );
}

const SENDS: Record<AlertSendState, { word: string; state: State }> = {
  pending: { word: "due", state: "working" },
  sent: { word: "arrived", state: "fine" },
  failed: { word: "given up", state: "failed" },
  cancelled: { word: "cancelled", state: "neutral" },
};

const NOTIFICATIONS: Record<AlertNotificationKind, string> = { opened: "Opened", reminder: "Reminder", recovered: "Recovered" };

function AlertRow({ alert, canManage }: { alert: Alert; canManage: boolean }) {
  const { id, title, detail, state, count, unit, url, snoozed, sends, times } = alert;
  const snooze = useSnoozeAlert(id);
  return (
    <li className="flex flex-col gap-2 border-b border-line px-3 py-3">
      <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-64">
          <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
            {state === "open" ? <StateBadge state="failed">Open</StateBadge> : <StateBadge state="fine">Recovered</StateBadge>}
            <TextLink href={new URL(url).pathname + new URL(url).search} className="min-w-0 break-words font-medium">
              {title}
            </TextLink>
          </p>
          <p className="mt-1 text-12 text-muted">
            <Period alert={alert} />
            {count === null || unit === null ? null : ` · ${amountWords(count, unit)}`}
          </p>
          {state === "open" ? <p className="mt-1 max-w-[100ch] break-words text-13 text-muted">{detail}</p> : null}
        </div>
        {canManage && state === "open" ? <SnoozeMenu what={title} snoozed={snoozed} snooze={snooze} /> : null}
      </div>
      {times > 1 ? <p className="text-12 text-muted">{timesWords(alert)}</p> : null}
      <Sends sends={sends} />
      {times > 1 ? <EarlierAlerts of={alert} /> : null}
    </li>
  );
}

const Period = ({ alert: { openedAt, closedAt } }: { alert: Alert }) => (
  <>
    Began <RelativeTime at={openedAt} />
    {closedAt === null ? null : (
      <>
        , over <RelativeTime at={closedAt} />
      </>
    )}
  </>
);

/** Such as `16 times in 2 min, still open`: the time between the first and the newest beginning. */
export function timesWords({
  times,
  firstOpenedAt,
  openedAt,
  state,
}: Pick<Alert, "times" | "firstOpenedAt" | "openedAt" | "state">): string {
  const within = durationWords(Date.parse(openedAt) - Date.parse(firstOpenedAt));
  return `${cappedNumber(times, ALERT_COUNT_CAP)} times in ${within}, ${state === "open" ? "still open" : "now recovered"}`;
}

/** The alerts about the same subject before this one, fetched when they are asked for. */
function EarlierAlerts({ of: { id, rule, subject } }: { of: Alert }) {
  const [shown, setShown] = useState(false);
  const query = useInfiniteQuery({ ...alertsQuery({ rule, subject }), enabled: shown });
  const earlier = query.data?.pages.flatMap(({ data }) => data).filter((each) => each.id !== id) ?? [];
  return (
    <div className="flex flex-col items-start gap-2">
      <RowButton aria-expanded={shown} loading={shown && query.isPending} onClick={() => setShown(!shown)}>
        {shown ? "Hide earlier alerts" : "Show earlier alerts"}
      </RowButton>
      {shown && query.isError ? <ErrorState what="the earlier alerts" error={query.error} onRetry={() => void query.refetch()} /> : null}
      {shown && earlier.length > 0 ? (
        <>
          <ul aria-label="Earlier alerts" className="flex w-full flex-col gap-3 border-l border-line pl-3">
            {earlier.map((alert) => (
              <li key={alert.id} className="flex flex-col gap-1">
                <p className="text-12 text-muted">
                  <Period alert={alert} />
                  {alert.count === null || alert.unit === null ? null : ` · ${amountWords(alert.count, alert.unit)}`}
                </p>
                <Sends sends={alert.sends} />
              </li>
            ))}
          </ul>
          <LoadOlder query={query} className="mt-1" />
        </>
      ) : null}
    </div>
  );
}

function Sends({ sends }: { sends: AlertSend[] }) {
  if (sends.length === 0) return <p className="text-12 text-muted">Nobody was notified.</p>;
  return (
    <ul aria-label="Sent to" className="flex flex-col gap-1">
      {sends.map(({ notification, channelId, channelName, state, outcome, attempts, at }) => (
        <li key={`${notification} ${channelId} ${at}`} className="flex flex-wrap items-center gap-x-2 text-12 text-muted">
          <StateIcon state={SENDS[state].state} />
          <span className="text-text">{channelName}</span>
          <span>
            {NOTIFICATIONS[notification]}, {SENDS[state].word} <RelativeTime at={at} />
            {attempts > 1 ? ` · ${attempts} attempts` : ""}
          </span>
          {outcome === null || state === "sent" ? null : <span className="min-w-0 break-words">{outcome}</span>}
        </li>
      ))}
    </ul>
  );
}
