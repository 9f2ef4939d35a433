"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { Download, KeyRound, Server, User, UserX } from "lucide-react";
import { FilterRow, useUrlFilter } from "#components/records/filters/filter-row";
import { NothingMatches } from "#components/ui/layout/content-states";
import { Section } from "#components/ui/layout/section";
import { LoadOlder, paged } from "#components/ui/lists/paging";
import { LinkButton } from "#components/ui/primitives/button";
import { RelativeTime } from "#components/ui/relative-time";
import { auditLogQuery } from "#lib/client/queries/audit";
import { writeFilter } from "#lib/client/url-filter";
import type { AuditEntry } from "#lib/contracts/auth/audit";
import { AUDIT_FILTERS } from "#lib/contracts/auth/audit-filters";
import { isExactNumber, writeJson } from "#lib/contracts/exact-json";

export function AuditPage({ subjects }: { subjects: { value: string; label: string }[] }) {
  const { filter, setFilter } = useUrlFilter(AUDIT_FILTERS);
  const log = useInfiniteQuery(auditLogQuery(filter));
  const { rows: entries, fallback } = paged(log, { what: "the audit log", rows: 8 });
  const exportUrl = (format: string) => `/api/v1/audit/export?${writeFilter(AUDIT_FILTERS, filter, { format })}`;
  return (
    <Section
      title="Audit log"
      description="Who changed what, and from where. Entries can't be edited or deleted."
      actions={
        <>
          <LinkButton href={exportUrl("csv")} icon={<Download />} size="sm" download>
            CSV
          </LinkButton>
          <LinkButton href={exportUrl("ndjson")} icon={<Download />} size="sm" download>
            NDJSON
          </LinkButton>
        </>
      }
    >
      <FilterRow what="the audit log" filters={AUDIT_FILTERS} filter={filter} onChange={setFilter} options={{ subjects }} />
      {entries.length === 0 ? (
        (fallback ?? (
          <NothingMatches what="entries" timed={filter.from !== undefined || filter.to !== undefined} onClear={() => setFilter({})} />
        ))
      ) : (
        <ol aria-label="Audit log" className="divide-y divide-line border-y border-line">
          {entries.map((entry) => (
            <AuditRow key={entry.id} entry={entry} />
          ))}
        </ol>
      )}
      <LoadOlder query={log} label="Show older entries" className="self-center" />
    </Section>
  );
}

const KINDS = {
  person: { icon: User, word: "a member" },
  key: { icon: KeyRound, word: "an API key" },
  anonymous: { icon: UserX, word: "someone whose identity was not verified" },
  system: { icon: Server, word: "Signalbox" },
} as const;

function AuditRow({ entry }: { entry: AuditEntry }) {
  const { actor, does, action, target, ip, at, before, after } = entry;
  const { icon: Icon, word } = KINDS[actor.kind];
  const summary = typeof after?.summary === "string" ? after.summary : null;
  const from = [ip, actor.credential].filter((part) => part !== null);
  return (
    <li data-row className="flex gap-3 py-2.5">
      <Icon aria-hidden className="mt-0.5 size-4 shrink-0 text-faint" />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-baseline gap-x-2">
          <span className="font-medium">{summary ?? does}</span>
          {target === null ? null : (
            <span className="min-w-0 break-all text-muted">{target.name ?? <span className="font-mono text-12">{target.id}</span>}</span>
          )}
        </p>
        <p className="text-12 text-muted">
          <span className="sr-only">By {word}: </span>
          <span className="break-all">{actor.kind === "key" ? `key ${actor.name}` : actor.name}</span>
          {from.length === 0 ? null : <span className="break-all font-mono text-faint"> · {from.join(" · ")}</span>}
        </p>
        <AuditChange before={before} after={after} />
      </div>
      <div className="shrink-0 text-right">
        <p className="text-12 text-muted">
          <RelativeTime at={at} />
        </p>
        <p className="font-mono text-12 text-faint max-rail:hidden">{action}</p>
      </div>
    </li>
  );
}

/** Shows both values of each field. For a thing that was created or removed, one side is empty. */
function AuditChange({ before, after }: Pick<AuditEntry, "before" | "after">) {
  const named = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])].filter((field) => field !== "summary");
  // Empty values of a new thing are left out.
  const fields = named.filter((field) => before !== null || !isEmpty(after?.[field]));
  if (fields.length === 0) return null;
  return (
    <table className="mt-1.5 text-left text-12">
      <thead className={before === null ? "sr-only" : undefined}>
        <tr className="text-faint">
          <th scope="col" className="pr-4 font-normal">
            Field
          </th>
          <th scope="col" className={before === null ? "sr-only" : "pr-4 font-normal"}>
            Before
          </th>
          <th scope="col" className="font-normal">
            After
          </th>
        </tr>
      </thead>
      <tbody>
        {fields.map((field) => (
          <tr key={field} className="align-top">
            <th scope="row" className="whitespace-nowrap pr-4 font-normal text-muted">
              {fieldLabel(field)}
            </th>
            {before === null ? null : <Value value={before[field]} className="pr-4 text-muted" />}
            <Value value={after?.[field]} />
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Value({ value, className = "" }: { value: unknown; className?: string }) {
  return (
    <td className={`wrap-anywhere font-mono ${className}`}>
      {isEmpty(value) ? <span className="font-sans text-faint">none</span> : text(value)}
    </td>
  );
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === "object" && !isExactNumber(value) && Object.keys(value).length === 0);

/** `accessExpiresAt` as `Access expires at`, `sourceIds` as `Source IDs`. */
function fieldLabel(field: string): string {
  const words = field
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .replace(/\b(id|url|ip)(s?)\b/g, (_, short: string, many: string) => short.toUpperCase() + many);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const text = (value: unknown): string =>
  typeof value === "string" ? value : typeof value === "boolean" ? (value ? "yes" : "no") : writeJson(value);
