"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { FilterRow } from "#components/records/filters/filter-row";
import { useUrlFilter } from "#components/records/filters/use-url-filter";
import { ErrorState, LoadingState, NothingMatches } from "#components/ui/layout/empty-state";
import { Section } from "#components/ui/layout/section";
import { Button } from "#components/ui/primitives/button";
import { LinkButton } from "#components/ui/primitives/link-button";
import { auditLogQuery } from "#lib/client/queries/auth/audit";
import { writeFilter } from "#lib/client/url-filter";
import { AUDIT_FILTERS } from "#lib/contracts/auth/audit";
import { AuditRow } from "./audit-row.tsx";

export function AuditPage({ subjects }: { subjects: { value: string; label: string }[] }) {
  const { filter, setFilter } = useUrlFilter(AUDIT_FILTERS);
  const log = useInfiniteQuery(auditLogQuery(filter));
  const entries = log.data?.pages.flatMap(({ data }) => data);
  const exportUrl = (format: string) => `/api/v1/audit/export?${writeFilter(AUDIT_FILTERS, filter, { format })}`;
  return (
    <Section
      title="Audit log"
      description="Who changed what, and from where. Entries can't be edited or deleted."
      actions={
        <>
          <LinkButton href={exportUrl("csv")} icon={<Download aria-hidden />} size="sm" download>
            CSV
          </LinkButton>
          <LinkButton href={exportUrl("ndjson")} icon={<Download aria-hidden />} size="sm" download>
            NDJSON
          </LinkButton>
        </>
      }
    >
      <FilterRow what="the audit log" filters={AUDIT_FILTERS} filter={filter} onChange={setFilter} options={{ subjects }} />
      {log.isPending ? (
        <LoadingState what="the audit log" rows={8} />
      ) : !entries ? (
        <ErrorState what="the audit log" error={log.error} onRetry={() => void log.refetch()} />
      ) : entries.length === 0 ? (
        <NothingMatches what="entries" onClear={() => setFilter({})} />
      ) : (
        <ol aria-label="Audit log" className="divide-y divide-line border-y border-line">
          {entries.map((entry) => (
            <AuditRow key={entry.id} entry={entry} />
          ))}
        </ol>
      )}
      {log.hasNextPage ? (
        <Button className="self-center" loading={log.isFetchingNextPage} onClick={() => void log.fetchNextPage()}>
          Show older entries
        </Button>
      ) : null}
    </Section>
  );
}
