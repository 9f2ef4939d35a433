"use client";

import { useQuery } from "@tanstack/react-query";
import { AdmitAll } from "#components/refused/admit-all";
import { AdmitButton } from "#components/refused/admit-button";
import { Evidence } from "#components/refused/evidence";
import { SignatureBadge } from "#components/refused/refused-row";
import { reasonWords } from "#components/refused/verdict-words";
import { Badge } from "#components/ui/badge";
import { Banner } from "#components/ui/banner";
import { CodeBlock } from "#components/ui/code-block";
import { ErrorState, LoadingState } from "#components/ui/empty-state";
import { ExactTime } from "#components/ui/exact-time";
import { type KeyValue, KeyValueList } from "#components/ui/key-value-list";
import { LinkButton } from "#components/ui/link-button";
import { PageHeader } from "#components/ui/page-header";
import { ProblemNotice } from "#components/ui/problem-notice";
import { ResourceId } from "#components/ui/resource-id";
import { Section } from "#components/ui/section";
import { bodyBytes, bytesWords } from "#lib/client/bytes";
import { quarantineEntryQuery } from "#lib/client/quarantine";
import { addressWords } from "#lib/client/remote-address";
import type { DiagnosisCode } from "#lib/contracts/diagnosis";
import type { QuarantineDetail } from "#lib/contracts/quarantine";

/** One refused request: why, what to do, and what came, to the byte. */
export function RefusedEntry({ id, canAdmit }: { id: string; canAdmit: boolean }) {
  const { data: entry, error, refetch } = useQuery(quarantineEntryQuery(id));
  if (!entry) {
    if (error) return <ErrorState what="this refused request" error={error} onRetry={() => void refetch()} />;
    return <LoadingState what="the refused request" />;
  }
  return (
    <div className="flex flex-col gap-6">
      <PageHeader title="Refused request" meta={<EntryBadges entry={entry} />} />
      {entry.admittedAt === null ? (
        <ProblemNotice
          what={entry.verdict}
          {...(entry.diagnosis === null && entry.detail !== entry.verdict ? { why: entry.detail } : {})}
          mend={entry.mend}
          tone={entry.verified || entry.diagnosis?.verifiesNow ? "attention" : "failed"}
          action={<EntryActions entry={entry} canAdmit={canAdmit} />}
        />
      ) : (
        <Banner tone="fine">
          It was refused, verified later, and was admitted into the log at <ExactTime at={entry.admittedAt} />.
        </Banner>
      )}
      {entry.diagnosis === null ? null : <Evidence diagnosis={entry.diagnosis} />}
      <KeyValueList items={factsOf(entry)} />
      <Section title="Raw body" description={bodyWords(entry)}>
        {entry.raw === null ? (
          <CodeBlock code={entry.rawBase64 ?? ""} label="raw body in base64" title="Not UTF-8: shown in base64" />
        ) : (
          <CodeBlock code={entry.raw} label="raw body" />
        )}
      </Section>
      <Section title="Headers" description="As they came.">
        <KeyValueList items={headersOf(entry)} />
      </Section>
    </div>
  );
}

/** What mends this one: the source's secrets where they are at fault, and the press that holds it against them again. */
function EntryActions({ entry, canAdmit }: { entry: QuarantineDetail; canAdmit: boolean }) {
  const passes = entry.diagnosis?.verifiesNow === true;
  return (
    <div className="flex flex-wrap items-start gap-2">
      {entry.diagnosis !== null && ABOUT_SECRETS.has(entry.diagnosis.code) ? (
        <LinkButton size="sm" href="/settings/sources">
          Sources and secrets
        </LinkButton>
      ) : null}
      <AdmitButton id={entry.id} allowed={canAdmit} passes={passes} />
      {canAdmit && passes ? <AdmitAll filter={{ source: entry.source }} label={`All of ${entry.source}`} variant="secondary" /> : null}
    </div>
  );
}

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
      {entry.admittedAt === null ? null : <Badge tone="fine">Admitted</Badge>}
    </>
  );
}

function factsOf(entry: QuarantineDetail): KeyValue[] {
  return [
    { label: "Received", value: <ExactTime at={entry.receivedAt} /> },
    { label: "Source", value: entry.source },
    {
      label: "Sender's address",
      value: entry.remoteAddress === null ? "Not known" : <ResourceId id={addressWords(entry.remoteAddress)} whole />,
    },
    { label: "Reason", value: reasonWords(entry.reason), hint: <span className="font-mono">{entry.reason}</span> },
    { label: "Id", value: <ResourceId id={entry.id} whole /> },
  ];
}

function bodyWords(entry: QuarantineDetail): string {
  const kept = bodyBytes(entry).length;
  if (entry.bytes === 0) return "It came with an empty body.";
  return kept < entry.bytes
    ? `The first ${bytesWords(kept)} of ${bytesWords(entry.bytes)}: the rest was not kept.`
    : `${bytesWords(kept)}, as received.`;
}

function headersOf(entry: QuarantineDetail): KeyValue[] {
  return Object.entries(entry.headers)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => ({ label: name, value: <span className="break-all font-mono text-12">{value}</span> }));
}
