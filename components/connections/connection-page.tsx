"use client";

import Link from "next/link";
import { ConnectionActions } from "#components/connections/connection-actions";
import { ConnectionProblemNotice } from "#components/connections/connection-problem";
import { ConnectionWarnings } from "#components/connections/connection-warnings";
import { Expiry } from "#components/connections/expiry";
import { historyWords } from "#components/connections/history-words";
import { type Outcome, OutcomeNotice } from "#components/connections/outcome-notice";
import { ScopeList } from "#components/connections/scope-list";
import { Suspicions } from "#components/shell/suspicions";
import { ConnectionStateBadge } from "#components/ui/connection-state-badge";
import { ErrorState, LoadingState } from "#components/ui/empty-state";
import { ExactTime } from "#components/ui/exact-time";
import { KeyValueList } from "#components/ui/key-value-list";
import { PageBody } from "#components/ui/page-body";
import { PageHeader } from "#components/ui/page-header";
import { RelativeTime } from "#components/ui/relative-time";
import { ResourceId } from "#components/ui/resource-id";
import { Section } from "#components/ui/section";
import { TextLink } from "#components/ui/text-link";
import { Timeline } from "#components/ui/timeline";
import { useConnection } from "#lib/client/connections";
import type { ConnectionDetail } from "#lib/contracts/connections";

type Props = { id: string; canManage: boolean; outcome: Outcome | null };

/** One linked account: its state, what it may do, and the life of its grant. */
export function ConnectionPage({ id, canManage, outcome }: Props) {
  const { data, error, isPending, refetch } = useConnection(id);
  if (isPending) return <LoadingState what="the connection" />;
  if (!data) return <ErrorState what="the connection" error={error} onRetry={() => void refetch()} />;
  const { name, state, sentence, problem } = data;
  // The card says more than the outcome does: the platform's own code, and since when.
  const told = outcome !== null && !outcome.connected && problem?.what === outcome.problem.what;
  return (
    <PageBody width="narrow">
      <PageHeader
        title={name}
        description={sentence}
        meta={<ConnectionStateBadge state={state} />}
        actions={canManage ? <ConnectionActions connection={data} /> : undefined}
      />
      {outcome === null || told ? null : <OutcomeNotice outcome={outcome} name={name} here={`/connections/${id}`} />}
      <ConnectionProblemNotice connection={data} announce={told} />
      <ConnectionWarnings connection={data} />
      <Suspicions kind="connection" id={id} />
      <Facts connection={data} />
      <History connection={data} />
    </PageBody>
  );
}

function Facts({ connection }: { connection: ConnectionDetail }) {
  const { id, account, requiredScopes, grantedScopes, connectedBy, connectedAt, lastProvenAt, lastRefreshAt } = connection;
  const { integrations, lastEvent } = connection;
  const nextRefreshAt = connection.hasRefreshToken ? connection.nextRefreshAt : null;
  const time = (at: string | null, never: string) => (at === null ? never : <RelativeTime at={at} />);
  return (
    <Section title="Access">
      <KeyValueList
        items={[
          { label: "Access token", value: <Expiry connection={connection} /> },
          { label: "Last proven", value: time(lastProvenAt, "Never"), hint: "When the platform last gave an access token for it." },
          { label: "Last renewed", value: time(lastRefreshAt, "Not yet") },
          { label: "Next renewal", value: time(nextRefreshAt, "None planned") },
          { label: "Permissions", value: <ScopeList required={requiredScopes} granted={grantedScopes} /> },
          { label: "Account", value: account ?? "The platform does not say" },
          { label: "Connected", value: time(connectedAt, "Not yet"), ...(connectedBy === null ? {} : { hint: `by ${connectedBy}` }) },
          ...(integrations.length === 0 ? [] : [{ label: "Integrations", value: <Integrations of={integrations} /> }]),
          { label: "Last event", value: lastEvent === null ? "None yet" : <EventLink event={lastEvent} /> },
          { label: "Id", value: <ResourceId id={id} whole /> },
        ]}
      />
    </Section>
  );
}

const Integrations = ({ of }: { of: ConnectionDetail["integrations"] }) => (
  <ul className="flex flex-wrap gap-x-3 gap-y-1">
    {of.map(({ id, label }) => (
      <li key={id}>
        <TextLink href={`/integrations/${encodeURIComponent(id)}`}>{label}</TextLink>
      </li>
    ))}
  </ul>
);

function EventLink({ event: { id, type, receivedAt } }: { event: NonNullable<ConnectionDetail["lastEvent"]> }) {
  return (
    <>
      <Link href={`/events/${id}`} className="text-accent-text hover:underline">
        {type}
      </Link>
      , <RelativeTime at={receivedAt} />
    </>
  );
}

function History({ connection: { history } }: { connection: ConnectionDetail }) {
  return (
    <Section title="What happened" description="The life of this grant, newest first.">
      {history.length === 0 ? (
        <p className="text-muted">Nothing yet.</p>
      ) : (
        <Timeline
          label="The life of this grant"
          items={history.map(({ at, kind, code, detail, actor, eventId }, index) => {
            const [state, words] = historyWords(kind);
            const more = [code?.replaceAll("_", " "), detail === code ? null : detail, actor === null ? null : `by ${actor}`]
              .filter((part) => part != null)
              .join(" · ");
            const title = eventId === null ? words : eventTitle(eventId, words);
            return { key: `${at} ${index}`, state, title, at: <ExactTime at={at} />, ...(more === "" ? {} : { detail: more }) };
          })}
        />
      )}
    </Section>
  );
}

const eventTitle = (id: string, words: string) => (
  <Link href={`/events/${id}`} className="hover:underline">
    {words}
  </Link>
);
