"use client";

import { ConnectionStateBadge } from "#components/records/connection-state-badge";
import { PlatformMissing, type PlatformSetup } from "#components/records/platform-missing";
import { ResourceId } from "#components/records/resource-id";
import { MissingEventNotices } from "#components/shell/navigation/missing-event-notices";
import { withFallback } from "#components/ui/layout/content-states";
import { KeyValueList } from "#components/ui/layout/key-value-list";
import { PageBody, PageHeader } from "#components/ui/layout/page-header";
import { Section } from "#components/ui/layout/section";
import { Timeline } from "#components/ui/lists/timeline";
import { Badge, type State, StateIcon } from "#components/ui/primitives/badge";
import { PageLink, TextLink } from "#components/ui/primitives/page-link";
import { ExactTime, RelativeTime } from "#components/ui/relative-time";
import { useConnection } from "#lib/client/queries/connections";
import type { ConnectionDetail } from "#lib/contracts/connections";
import {
  ConnectionActions,
  ConnectionProblemNotice,
  ConnectionWarnings,
  Expiry,
  type Outcome,
  OutcomeNotice,
} from "./connection-state.tsx";

type Props = { id: string; platform: PlatformSetup; canManage: boolean; outcome: Outcome | null };

export function ConnectionPage({ id, platform, canManage, outcome }: Props) {
  const { data, fallback } = withFallback(useConnection(id), { what: "the connection" });
  if (!data) return fallback;
  const { name, state, sentence, problem } = data;
  // The problem notice says more than the outcome: it has the platform's error code.
  const alreadyShown = outcome !== null && !outcome.connected && problem?.what === outcome.problem.what;
  return (
    <PageBody>
      <PageHeader
        title={name}
        description={sentence}
        meta={<ConnectionStateBadge state={state} />}
        actions={canManage ? <ConnectionActions connection={data} canConnect={platform.missing.length === 0} /> : undefined}
      />
      {outcome === null || alreadyShown ? null : <OutcomeNotice outcome={outcome} name={name} here={`/connections/${id}`} />}
      <PlatformMissing platform={platform} />
      <ConnectionProblemNotice connection={data} announce={alreadyShown} />
      <ConnectionWarnings connection={data} />
      <MissingEventNotices kind="connection" id={id} />
      <div className="grid gap-x-10 gap-y-8 rail:grid-cols-[minmax(0,1fr)_minmax(280px,360px)]">
        <Details connection={data} />
        <History connection={data} />
      </div>
    </PageBody>
  );
}

const AT_PLATFORM: Record<NonNullable<ConnectionDetail["revocation"]>, string> = {
  waiting: "Being revoked. The platform has not confirmed yet: Signalbox retries for up to 7 days.",
  revoked: "Revoked. The platform confirmed.",
  failed: "Not revoked. Revoke access on the platform.",
};

const atPlatform = (revocation: keyof typeof AT_PLATFORM) => ({ label: "On the platform", value: AT_PLATFORM[revocation] });

function Details({ connection }: { connection: ConnectionDetail }) {
  const { id, account, requiredScopes, grantedScopes, connectedBy, connectedAt, lastProvenAt, lastRefreshAt } = connection;
  const { integrations, lastEvent } = connection;
  const nextRefreshAt = connection.hasRefreshToken ? connection.nextRefreshAt : null;
  const time = (at: string | null, never: string) => (at === null ? never : <RelativeTime at={at} />);
  return (
    <Section title="Access">
      <KeyValueList
        items={[
          { label: "Access token", value: <Expiry connection={connection} /> },
          { label: "Last verified", value: time(lastProvenAt, "Never"), hint: "When the platform last issued an access token." },
          { label: "Last renewed", value: time(lastRefreshAt, "Not yet") },
          { label: "Next renewal", value: nextRefreshAt === null ? "None scheduled" : <RelativeTime at={nextRefreshAt} ahead /> },
          { label: "Permissions", value: <ScopeList required={requiredScopes} granted={grantedScopes} /> },
          { label: "Account", value: account ?? "Not provided by the platform" },
          { label: "Connected", value: time(connectedAt, "Not yet"), ...(connectedBy === null ? {} : { hint: `by ${connectedBy}` }) },
          ...(integrations.length === 0 ? [] : [{ label: "Integrations", value: <Integrations of={integrations} /> }]),
          ...(connection.state === "disconnected" && connection.revocation ? [atPlatform(connection.revocation)] : []),
          {
            label: "Last event",
            ...(lastEvent === null ? { value: "None known", hint: NAMED_ONLY } : { value: <EventLink event={lastEvent} /> }),
          },
          { label: "ID", value: <ResourceId id={id} whole /> },
        ]}
      />
    </Section>
  );
}

const NAMED_ONLY = "With several accounts, or none connected, only events that name this one are counted.";

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
      <PageLink href={`/events/${id}`} className="text-accent-text hover:underline">
        {type}
      </PageLink>
      , <RelativeTime at={receivedAt} />
    </>
  );
}

function History({ connection: { history } }: { connection: ConnectionDetail }) {
  return (
    <Section title="Connection history" description="Newest first.">
      {history.length === 0 ? (
        <p className="text-muted">Nothing yet.</p>
      ) : (
        <Timeline
          label="Connection history"
          items={history.map(({ at, kind, code, detail, actor, eventId }, index) => {
            const [state, label] = historyLabel(kind);
            const more = [code?.replaceAll("_", " "), detail === code ? null : detail, actor === null ? null : `by ${actor}`]
              .filter((part) => part != null)
              .join(" · ");
            const title = eventId === null ? label : eventTitle(eventId, label);
            return { key: `${at} ${index}`, state, title, at: <ExactTime at={at} />, ...(more === "" ? {} : { detail: more }) };
          })}
        />
      )}
    </Section>
  );
}

const eventTitle = (id: string, label: string) => (
  <PageLink href={`/events/${id}`} className="hover:underline">
    {label}
  </PageLink>
);

/** Shows permissions as requested before the first grant. */
function ScopeList({ required, granted }: { required: string[]; granted: string[] }) {
  const all = [...new Set([...required, ...granted])];
  if (all.length === 0) return <span className="text-muted">None requested</span>;
  const missing: { state: State; tone: "neutral" | "attention"; words: string } =
    granted.length === 0
      ? { state: "neutral", tone: "neutral", words: "requested" }
      : { state: "attention", tone: "attention", words: "not granted" };
  const lookOf = (scope: string) =>
    granted.includes(scope) ? { state: "fine" as const, tone: "neutral" as const, words: "granted" } : missing;
  return (
    <ul className="flex flex-wrap gap-1.5">
      {all.map((scope) => {
        const { state, tone, words } = lookOf(scope);
        return (
          <li key={scope}>
            <Badge tone={tone} icon={<StateIcon state={state} />}>
              <span className="font-mono">{scope}</span>
              <span className="sr-only"> {words}</span>
            </Badge>
          </li>
        );
      })}
    </ul>
  );
}

const LABELS: Record<string, readonly [State, string]> = {
  connected: ["fine", "Connected"],
  refreshed: ["fine", "Access renewed"],
  refresh_delayed: ["attention", "Renewal delayed"],
  expiry_near: ["attention", "Access expires soon"],
  lost: ["failed", "Access lost"],
  connect_failed: ["failed", "Connection failed"],
  account_changed: ["attention", "Connected to a different account"],
  key_lost: ["failed", "Tokens can't be decrypted"],
  key_found: ["fine", "Tokens can be decrypted again"],
  disconnected: ["fine", "Disconnected, tokens deleted"],
  revoked: ["fine", "Revoked on the platform"],
  not_revoked: ["attention", "Not revoked on the platform"],
  platform_connected: ["fine", "Platform reported that it is connected"],
  platform_refreshed: ["fine", "Platform renewed a token"],
  platform_error: ["attention", "Platform reported an error"],
  platform_disconnected: ["attention", "Platform reported that access was revoked"],
};

const historyLabel = (kind: string): readonly [State, string] => LABELS[kind] ?? ["neutral", kind.replaceAll("_", " ")];
