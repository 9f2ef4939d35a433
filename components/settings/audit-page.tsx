"use client";

import { Download } from "lucide-react";
import { useDeferredValue, useState } from "react";
import { AuditFilters } from "#components/settings/audit-filters";
import { AuditRow } from "#components/settings/audit-row";
import { Button } from "#components/ui/button";
import { ErrorState, LoadingState, NothingMatches } from "#components/ui/empty-state";
import { LinkButton } from "#components/ui/link-button";
import { Section } from "#components/ui/section";
import { type AuditSearch, auditParameters, useAudit } from "#lib/client/audit";

const EVERYTHING: AuditSearch = { action: "", q: "", from: "", to: "" };

/** The audit log: searched, read on, taken away as a file. */
export function AuditPage({ subjects }: { subjects: { value: string; label: string }[] }) {
  const [search, setSearch] = useState(EVERYTHING);
  const settled = useDeferredValue(search);
  const log = useAudit(settled);
  const entries = log.data?.pages.flatMap(({ data }) => data);
  const exportAddress = (format: string) => {
    const parameters = auditParameters(search);
    parameters.set("format", format);
    return `/api/v1/audit/export?${parameters}`;
  };
  return (
    <Section
      title="Audit log"
      description="Who changed what, from where. Nobody can change or remove an entry."
      actions={
        <>
          <LinkButton href={exportAddress("csv")} icon={<Download aria-hidden />} size="sm" download>
            CSV
          </LinkButton>
          <LinkButton href={exportAddress("ndjson")} icon={<Download aria-hidden />} size="sm" download>
            NDJSON
          </LinkButton>
        </>
      }
    >
      <AuditFilters search={search} subjects={subjects} onChange={setSearch} />
      {log.isPending ? (
        <LoadingState what="the audit log" rows={8} />
      ) : !entries ? (
        <ErrorState what="the audit log" error={log.error} onRetry={() => void log.refetch()} />
      ) : entries.length === 0 ? (
        <NothingMatches what="entries" onClear={() => setSearch(EVERYTHING)} />
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
