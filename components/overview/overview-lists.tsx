import { Link2 } from "lucide-react";
import { ConnectionStateBadge } from "#components/records/connection-state-badge";
import { eventColumns } from "#components/records/event-columns";
import { NothingYet, withFallback } from "#components/ui/layout/content-states";
import { type Column, DataTable, STATE, timeColumn } from "#components/ui/layout/data-table";
import { Section } from "#components/ui/layout/section";
import { RowLink } from "#components/ui/layout/table";
import { StateIcon } from "#components/ui/primitives/badge";
import { LinkButton } from "#components/ui/primitives/button";
import { PageLink, TextLink } from "#components/ui/primitives/page-link";
import { RelativeTime } from "#components/ui/relative-time";
import { bySubject } from "#lib/client/format/resource-links";
import { LATEST_EVENTS, useLatestEvents } from "#lib/client/queries/overview";
import { visible } from "#lib/contracts/api/plain-text";
import { worstFirst } from "#lib/contracts/connection-filters";
import type { Connection } from "#lib/contracts/connections";
import { cappedNumber, formatNumber } from "#lib/contracts/format-count";
import type { Issue } from "#lib/contracts/issues";

const shownWords = (shown: number, open: number) =>
  shown < open ? `${shown} of ${formatNumber(open)}, the latest failures first` : undefined;

export function NewestIssues({ issues, open }: { issues: Issue[]; open: number }) {
  if (issues.length === 0) return null;
  return (
    <Section title="Open issues" description={shownWords(issues.length, open)} actions={<TextLink href="/issues">All issues</TextLink>}>
      <ul className="border-t border-line">
        {issues.map((issue) => (
          <li data-row key={issue.id} className="relative flex items-start gap-3 border-b border-line px-3 py-2 hover:bg-hover">
            <StateIcon state={issue.origin === "processing" ? "failed" : "attention"} className="mt-0.5" />
            <PageLink
              href={`/issues/${issue.id}`}
              className="line-clamp-2 min-w-0 flex-1 break-words after:absolute after:inset-0 after:content-['']"
            >
              {visible(issue.failure.what)}
            </PageLink>
            <span className="shrink-0 text-12 text-muted tabular-nums">
              {issue.code === "destination_suspended" ? "suspended" : `${cappedNumber(issue.failing)} failing`},{" "}
              <RelativeTime at={issue.lastSeenAt} />
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

export function LatestEvents() {
  const { data, fallback } = withFallback(useLatestEvents(), { what: "the latest events", rows: LATEST_EVENTS });
  return (
    <Section title="Latest events" actions={<TextLink href="/events">All events</TextLink>} className="min-w-0">
      {!data ? (
        fallback
      ) : data.data.length === 0 ? (
        <p className="py-6 text-center text-muted">No events received yet.</p>
      ) : (
        <DataTable
          label="Latest events"
          className="@container"
          columns={EVENT_COLUMNS}
          rows={data.data}
          keyOf={({ source, id }) => `${source} ${id}`}
        />
      )}
    </Section>
  );
}

const EVENT_COLUMNS = eventColumns(({ resources }) => bySubject(resources)[0]);

const HEALTH: readonly (readonly [string, Connection["state"][]])[] = [
  ["healthy", ["connected"]],
  ["expiring", ["expiring"]],
  ["retrying", ["retrying"]],
  ["need reconnecting", ["needs_reauthorization"]],
  ["not connected", ["pending", "disconnected"]],
];

function healthWords(connections: Connection[]): string {
  const parts = HEALTH.map(([word, states]) => [connections.filter(({ state }) => states.includes(state)).length, word] as const);
  return parts
    .filter(([count]) => count > 0)
    .map(([count, word]) => `${formatNumber(count)} ${word}`)
    .join(", ");
}

export function ConnectionRows({ connections }: { connections: Connection[] }) {
  return (
    <Section title="Connections" {...(connections.length > 0 && { description: healthWords(connections) })} className="min-w-0">
      {connections.length === 0 ? (
        <NothingYet
          icon={<Link2 aria-hidden />}
          title="No connections yet"
          actions={<LinkButton href="/connections">Connect an account</LinkButton>}
        >
          Signalbox renews access to each account automatically.
        </NothingYet>
      ) : (
        <DataTable label="Connections" columns={CONNECTION_COLUMNS} rows={worstFirst(connections)} keyOf={({ id }) => id} />
      )}
    </Section>
  );
}

const CONNECTION_COLUMNS: Column<Connection>[] = [
  { ...STATE, headLook: "rail:min-w-38", cell: ({ state }) => <ConnectionStateBadge state={state} /> },
  { head: "Name", look: "w-full max-w-0 truncate", cell: ({ id, name }) => <RowLink href={`/connections/${id}`}>{name}</RowLink> },
  timeColumn("Last verified", ({ lastProvenAt }) => lastProvenAt, "Never"),
];
