"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { CircleCheck } from "lucide-react";
import { useState } from "react";
import { FilterRow } from "#components/records/filters/filter-row";
import { ErrorState, LoadingState, NothingMatches, NothingYet } from "#components/ui/layout/empty-state";
import { Refreshing } from "#components/ui/layout/refreshing";
import { Section } from "#components/ui/layout/section";
import { LoadOlder } from "#components/ui/lists/load-older";
import { alertsQuery } from "#lib/client/queries/alerts";
import { ALERT_FILTERS, type AlertFilter } from "#lib/contracts/alerts/alerts";
import { AlertRow } from "./alert-row.tsx";

export function SentSection({ canManage }: { canManage: boolean }) {
  const [filter, setFilter] = useState<AlertFilter>({});
  const query = useInfiniteQuery(alertsQuery(filter));
  const alerts = query.data?.pages.flatMap(({ data }) => data) ?? [];
  const filtered = filter.state !== undefined || filter.rule !== undefined;
  return (
    <Section title="Alerts" description="Alerts, who was notified and whether the messages arrived. Kept for 90 days after an alert ends.">
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
      ) : query.isPending ? (
        <LoadingState what="alerts" rows={3} />
      ) : query.isError ? (
        <ErrorState what="alerts" error={query.error} onRetry={() => void query.refetch()} />
      ) : filtered ? (
        <NothingMatches what="alerts" onClear={() => setFilter({})}>
          Try another state or rule.
        </NothingMatches>
      ) : (
        <NothingYet icon={<CircleCheck aria-hidden className="text-fine!" />} title="No alerts yet">
          Nothing has triggered an alert so far.
        </NothingYet>
      )}
    </Section>
  );
}
