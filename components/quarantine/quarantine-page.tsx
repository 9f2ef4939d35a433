"use client";

import { useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { ShieldCheck } from "lucide-react";
import { useEffect } from "react";
import { bySource, FilterRow, useUrlFilter } from "#components/records/filters/filter-row";
import { lazyComponent } from "#components/ui/feedback/lazy-component";
import { NothingMatches, NothingYet } from "#components/ui/layout/content-states";
import { DataTable } from "#components/ui/layout/data-table";
import { PageHeader } from "#components/ui/layout/page-header";
import { Panel, PanelBody, PanelHeader } from "#components/ui/layout/section";
import { LoadOlder, paged } from "#components/ui/lists/paging";
import { invalidate, KEYS } from "#lib/client/queries/keys";
import { newestOperationQuery } from "#lib/client/queries/operations";
import { quarantineDiagnosesQuery, quarantineListQuery } from "#lib/client/queries/quarantine";
import { isEmptyFilter } from "#lib/client/url-filter";
import { formatNumber } from "#lib/contracts/format-count";
import { QUARANTINE_FILTERS, type QuarantineState } from "#lib/contracts/quarantine-filters";
import { Diagnoses, type GroupRights } from "./diagnoses.tsx";
import { DismissButton, QUARANTINE_COLUMNS, ReleaseAll } from "./quarantine-item.tsx";

/** Quarantined requests send nothing to the live feed, so the page polls. */
const POLL_MS = 5000;

const NOTHING: Record<QuarantineState, [title: string, words: string]> = {
  quarantined: ["Quarantine is empty", "Requests with an invalid signature or payload appear here, with the reason."],
  dismissed: ["Nothing dismissed", "Requests that someone dismissed stay here and can still be released."],
  released: ["Nothing released", "Requests that were verified again and released appear here."],
};

type QuarantinePageProps = { sources: string[]; rights: GroupRights };

export function QuarantinePage({ sources, rights }: QuarantinePageProps) {
  const { canRelease, canDismiss } = rights;
  const { filter, setFilter } = useUrlFilter(QUARANTINE_FILTERS);
  const query = useInfiniteQuery({ ...quarantineListQuery(filter), refetchInterval: POLL_MS });
  const { rows: items, fallback } = paged(query, { what: "quarantined requests" });
  const { state, ...cause } = filter;
  const filtered = !isEmptyFilter(cause);
  const waiting = items.filter(({ releasedAt, dismissedAt }) => releasedAt === null && dismissedAt === null);
  const { data: diagnoses } = useQuery(quarantineDiagnosesQuery(cause));
  const matching = diagnoses ? `${formatNumber(diagnoses.total)} ` : "";
  return (
    <div className="flex flex-col gap-4">
      <PageHeader
        title="Quarantine"
        description="Requests with an invalid signature or payload. None of them is in the event log. Verified requests are kept as long as your events, the rest for 30 days and up to 10,000 per source."
        actions={
          <>
            {waiting.length > 0 ? (
              <DismissButton filter={cause} label={filtered ? `Dismiss ${matching}filtered` : "Dismiss all"} allowed={canDismiss} />
            ) : null}
            {canRelease ? (
              <ReleaseAll
                offered={waiting.length > 0}
                filter={cause}
                label={filtered ? `Re-verify ${matching}filtered` : "Re-verify all"}
              />
            ) : null}
          </>
        }
      />
      {/* Above what comes and goes with each answer, so that it stays where it is. */}
      <FilterRow what="quarantined requests" filters={QUARANTINE_FILTERS} filter={filter} onChange={setFilter} {...bySource(sources)} />
      <NewestRelease canRelease={canRelease} />
      {state === "quarantined" ? <Diagnoses filter={cause} rights={rights} onShow={(chosen) => setFilter({ state, ...chosen })} /> : null}
      {items.length > 0 ? (
        <>
          <div className="@container -mx-4 rail:mx-0">
            <DataTable
              label="Quarantined requests, newest first"
              className="max-rail:overflow-x-visible"
              columns={QUARANTINE_COLUMNS}
              rows={items}
              keyOf={({ id }) => id}
            />
          </div>
          <LoadOlder query={query} className="self-start" />
        </>
      ) : fallback ? (
        fallback
      ) : filtered ? (
        <NothingMatches what="quarantined requests" onClear={() => setFilter({ state })}>
          Try another search, reason, source, IP address or time.
        </NothingMatches>
      ) : (
        <NothingYet icon={<ShieldCheck />} title={NOTHING[state ?? "quarantined"][0]}>
          {NOTHING[state ?? "quarantined"][1]}
        </NothingYet>
      )}
    </div>
  );
}

const ReleaseProgress = lazyComponent(() => import("./release-progress.tsx").then((module) => module.ReleaseProgress));

/** Shows the newest release of many requests unless it is finished, for users who come back to the page. */
function NewestRelease({ canRelease }: { canRelease: boolean }) {
  const queries = useQueryClient();
  const { data } = useQuery(newestOperationQuery("release"));
  const state = data?.state;
  useEffect(() => {
    if (state !== "finished") return;
    void invalidate(queries, KEYS.quarantine, KEYS.quarantined, KEYS.events, KEYS.overview, KEYS.counts);
  }, [state, queries]);
  if (!data || data.state === "finished") return null;
  return (
    <Panel>
      <PanelHeader title="Releasing quarantined requests" hint="Requests released so far stay released." />
      <PanelBody>
        <ReleaseProgress operation={data} allowed={canRelease} />
      </PanelBody>
    </Panel>
  );
}
