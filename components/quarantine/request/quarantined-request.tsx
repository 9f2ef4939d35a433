"use client";

import { useQuery } from "@tanstack/react-query";
import { ResourceId } from "#components/records/resource-id";
import { Banner } from "#components/ui/feedback/banner";
import { ProblemNotice } from "#components/ui/feedback/problem-notice";
import { ErrorState, LoadingState } from "#components/ui/layout/empty-state";
import { type KeyValue, KeyValueList } from "#components/ui/layout/key-value-list";
import { PageHeader } from "#components/ui/layout/page-header";
import { Section } from "#components/ui/layout/section";
import { Badge } from "#components/ui/primitives/badge";
import { LinkButton } from "#components/ui/primitives/link-button";
import { ExactTime } from "#components/ui/time/exact-time";
import { formatIp } from "#lib/client/format/format-ip";
import { quarantineEntryQuery } from "#lib/client/queries/quarantine/requests";
import type { DiagnosisCode } from "#lib/contracts/diagnosis";
import type { QuarantineDetail } from "#lib/contracts/quarantine";
import { DismissButton, RestoreButton } from "../dismiss-quarantined.tsx";
import { SignatureBadge } from "../quarantine-row.tsx";
import { reasonWords } from "../reason-labels.tsx";
import { ReleaseAll } from "../release/release-all.tsx";
import { ReleaseButton } from "../release/release-button.tsx";
import { Evidence } from "./evidence.tsx";
import { RawRequest } from "./raw-request.tsx";

type RequestPageProps = { id: string; canRelease: boolean; canDismiss: boolean };

export function QuarantinedRequestPage({ id, canRelease, canDismiss }: RequestPageProps) {
  const { data: entry, error, refetch } = useQuery(quarantineEntryQuery(id));
  if (!entry) {
    if (error) return <ErrorState what="this quarantined request" error={error} onRetry={() => void refetch()} />;
    return <LoadingState what="the quarantined request" />;
  }
  return (
    <div className="flex flex-col gap-6">
      <PageHeader title="Quarantined request" meta={<EntryBadges entry={entry} />} />
      {entry.releasedAt === null ? (
        <ProblemNotice
          what={entry.verdict}
          {...(entry.diagnosis === null && entry.detail !== entry.verdict ? { why: entry.detail } : {})}
          fix={entry.fix}
          tone={entry.verified || entry.diagnosis?.verifiesNow ? "attention" : "failed"}
          action={<EntryActions entry={entry} canRelease={canRelease} canDismiss={canDismiss} />}
        />
      ) : (
        <Banner tone="fine">
          {entry.verdict} Released <ExactTime at={entry.releasedAt} />.
        </Banner>
      )}
      {entry.diagnosis === null ? null : <Evidence diagnosis={entry.diagnosis} />}
      <KeyValueList items={factsOf(entry)} />
      <RawRequest entry={entry} />
      <Section title="Headers" description="As received.">
        <KeyValueList items={headersOf(entry)} />
      </Section>
    </div>
  );
}

function EntryActions({ entry, canRelease, canDismiss }: Omit<RequestPageProps, "id"> & { entry: QuarantineDetail }) {
  const verifiesNow = entry.diagnosis?.verifiesNow === true;
  return (
    <div className="flex flex-wrap items-start gap-2">
      {entry.diagnosis !== null && ABOUT_SECRETS.has(entry.diagnosis.code) ? (
        <LinkButton size="sm" href="/settings/sources">
          Sources and secrets
        </LinkButton>
      ) : null}
      {entry.diagnosis?.code === "secret_retired" ? (
        <LinkButton size="sm" href={`/quarantine?${similarTo(entry)}`}>
          All signed with this secret
        </LinkButton>
      ) : null}
      {entry.diagnosis === null ? null : (
        <LinkButton size="sm" href={`/settings/sources/signature?request=${encodeURIComponent(entry.id)}`}>
          Check with a secret
        </LinkButton>
      )}
      {entry.reason === "invalid_envelope" ? (
        <LinkButton size="sm" href={`/settings/field-mapping?source=${encodeURIComponent(entry.source)}`}>
          Field mapping
        </LinkButton>
      ) : null}
      <ReleaseButton id={entry.id} allowed={canRelease} verifiesNow={verifiesNow} />
      {canRelease ? (
        <ReleaseAll filter={{ source: entry.source }} label={`Re-verify all from ${entry.source}`} offered={verifiesNow} />
      ) : null}
      {entry.dismissedAt === null ? (
        <DismissButton filter={{ ids: [entry.id] }} label="Dismiss" allowed={canDismiss} />
      ) : (
        <RestoreButton id={entry.id} allowed={canDismiss} />
      )}
    </div>
  );
}

const similarTo = ({ source, diagnosis }: QuarantineDetail) =>
  new URLSearchParams({ source, diagnosis: diagnosis?.code ?? "", about: diagnosis?.about ?? "" });

const ABOUT_SECRETS: ReadonlySet<DiagnosisCode> = new Set([
  "secret_sent",
  "secret_trimmed",
  "secret_retired",
  "secret_of_another_source",
  "no_match",
]);

function EntryBadges({ entry }: { entry: QuarantineDetail }) {
  return (
    <>
      <SignatureBadge item={entry} />
      {entry.releasedAt === null ? null : <Badge tone="fine">Released</Badge>}
      {entry.dismissedAt === null || entry.releasedAt !== null ? null : <Badge>Dismissed by {entry.dismissedBy}</Badge>}
    </>
  );
}

const ANSWERS: Record<number, string> = {
  202: "Accepted: the sender won't send it again",
  401: "Unauthorized: the sender may send it again",
};

function factsOf(entry: QuarantineDetail): KeyValue[] {
  return [
    { label: "Received", value: <ExactTime at={entry.receivedAt} /> },
    { label: "Request", value: <span className="break-all font-mono text-12">{`${entry.method} ${entry.path}`}</span> },
    { label: "Answered", value: `${entry.answered} ${ANSWERS[entry.answered] ?? ""}` },
    { label: "Source", value: entry.source },
    {
      label: "IP address",
      value: entry.ip === null ? "Unknown" : <ResourceId id={formatIp(entry.ip)} whole />,
    },
    { label: "Reason", value: reasonWords(entry.reason), hint: <span className="font-mono">{entry.reason}</span> },
    { label: "ID", value: <ResourceId id={entry.id} whole /> },
  ];
}

function headersOf(entry: QuarantineDetail): KeyValue[] {
  return Object.entries(entry.headers)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => ({ label: name, value: <span className="break-all font-mono text-12">{value}</span> }));
}
