"use client";

import { useQuery } from "@tanstack/react-query";
import { ShieldCheck } from "lucide-react";
import { ResourceId } from "#components/records/resource-id";
import { Banner, ProblemNotice } from "#components/ui/feedback/problem-notice";
import { toast } from "#components/ui/feedback/toast";
import { withFallback } from "#components/ui/layout/content-states";
import { type KeyValue, KeyValueList } from "#components/ui/layout/key-value-list";
import { PageHeader } from "#components/ui/layout/page-header";
import { Section } from "#components/ui/layout/section";
import { Badge } from "#components/ui/primitives/badge";
import { Button, LinkButton } from "#components/ui/primitives/button";
import { RefusedButton } from "#components/ui/primitives/icon-button";
import { PageLink } from "#components/ui/primitives/page-link";
import { ExactTime } from "#components/ui/relative-time";
import { formatIp } from "#lib/client/format/caller-labels";
import { quarantineEntryQuery, useRelease } from "#lib/client/queries/quarantine";
import type { Diagnosis, QuarantineDetail, QuarantineReason, ReleaseResult } from "#lib/contracts/quarantine";
import { QUARANTINE_FILTERS } from "#lib/contracts/quarantine-filters";
import { fixLinkOf } from "./fix-links.tsx";
import { DismissButton, NO_RELEASE, ReleaseAll, RestoreButton, SignatureBadge } from "./quarantine-item.tsx";
import { RawRequest } from "./raw-request.tsx";

type Rights = { canRelease: boolean; canDismiss: boolean; canManage: boolean };

export function QuarantinedRequestPage({ id, ...rights }: Rights & { id: string }) {
  const { data: entry, fallback } = withFallback(useQuery(quarantineEntryQuery(id)), {
    what: "this quarantined request",
    loading: "the quarantined request",
  });
  if (!entry) return fallback;
  return (
    <div className="flex flex-col gap-6">
      <PageHeader title="Quarantined request" meta={<EntryBadges entry={entry} />} />
      {entry.releasedAt === null ? (
        <ProblemNotice
          what={entry.verdict}
          {...(entry.diagnosis === null && entry.detail !== entry.verdict ? { why: entry.detail } : {})}
          fix={entry.fix}
          tone={entry.verified || entry.diagnosis?.verifiesNow ? "attention" : "failed"}
          action={<EntryActions entry={entry} {...rights} />}
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

function EntryActions({ entry, canRelease, canDismiss, canManage }: Rights & { entry: QuarantineDetail }) {
  const { diagnosis, source } = entry;
  const verifiesNow = diagnosis?.verifiesNow === true;
  const fix = diagnosis === null ? undefined : fixLinkOf({ ...diagnosis, source }, canManage);
  return (
    <div className="flex flex-wrap items-start gap-2">
      {fix === undefined ? null : (
        <LinkButton size="sm" href={fix.href}>
          {fix.label}
        </LinkButton>
      )}
      {diagnosis?.code === "secret_retired" ? (
        <LinkButton size="sm" href={`/quarantine?${similarTo(entry)}`}>
          All signed with this secret
        </LinkButton>
      ) : null}
      {diagnosis === null ? null : (
        <LinkButton size="sm" href={`/settings/sources/signature?request=${encodeURIComponent(entry.id)}`}>
          Check with a secret
        </LinkButton>
      )}
      {entry.reason === "invalid_envelope" ? (
        <LinkButton size="sm" href={`/settings/field-mapping?source=${encodeURIComponent(source)}`}>
          Field mapping
        </LinkButton>
      ) : null}
      <ReleaseButton id={entry.id} allowed={canRelease} verifiesNow={verifiesNow} />
      {canRelease ? <ReleaseAll filter={{ source }} label={`Re-verify all from ${source}`} offered={verifiesNow} /> : null}
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
    ...claimedFacts(entry),
    { label: "Reason", value: reasonWords(entry.reason), hint: <span className="font-mono">{entry.reason}</span> },
    { label: "ID", value: <ResourceId id={entry.id} whole /> },
  ];
}

/** What did not verify is shown as its body claims it, and as no more. */
function claimedFacts({ claimed, verified, releasedAt }: QuarantineDetail): KeyValue[] {
  if (claimed === null) return [];
  const proven = verified || releasedAt !== null;
  const hint = proven ? {} : { hint: "By its body, which is not verified." };
  const fact = (label: string, value: string) => ({
    label: proven ? label : `Claimed ${label.toLowerCase()}`,
    value: <span className="break-all font-mono text-12">{value}</span>,
  });
  return [
    { ...fact("Type", claimed.type), ...hint },
    ...(claimed.subject === null ? [] : [fact("Subject", claimed.subject)]),
    fact("Event", claimed.id),
  ];
}

function headersOf(entry: QuarantineDetail): KeyValue[] {
  return Object.entries(entry.headers)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => ({ label: name, value: <span className="break-all font-mono text-12">{value}</span> }));
}

/** Verifies a request again with the current secrets and releases it if it passes. Primary if it is known to verify. */
function ReleaseButton({ id, allowed, verifiesNow }: { id: string; allowed: boolean; verifiesNow: boolean }) {
  const release = useRelease(id);
  const icon = <ShieldCheck />;
  if (!allowed) {
    return (
      <RefusedButton size="sm" icon={icon} why={NO_RELEASE}>
        Re-verify and release
      </RefusedButton>
    );
  }
  // A promise, since callbacks of `mutate` don't run once the button is unmounted with the released request.
  const send = () =>
    void release.mutateAsync().then(showReleased, () => {
      // The error is shown below the button.
    });
  return (
    <div className="flex flex-col items-start gap-2">
      <Button size="sm" variant={verifiesNow ? "primary" : "secondary"} icon={icon} loading={release.isPending} onClick={send}>
        Re-verify and release
      </Button>
      {release.error ? (
        <p role="alert" className="max-w-[40ch] break-words text-12 text-failed">
          Not released: {release.error.message}
        </p>
      ) : null}
    </div>
  );
}

const showReleased = ({ eventId, reason }: ReleaseResult) =>
  toast.success("Verified and released", {
    description: (
      <>
        {reason === null ? "Its event is now in the log. " : `${reason} `}
        {eventId === null ? null : (
          <PageLink href={`/events/${encodeURIComponent(eventId)}`} className="text-accent-text underline">
            Open the event
          </PageLink>
        )}
      </>
    ),
  });

const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/** Shows the evidence of a diagnosis. Digests are aligned, with the first different digit marked. */
function Evidence({ diagnosis: { evidence } }: { diagnosis: Diagnosis }) {
  if (evidence.length === 0) return null;
  const digests = evidence.flatMap(({ digest }) => digest ?? []);
  const [received = "", ...expected] = digests;
  return (
    <Section title="Evidence" description="What the verdict is based on. Digests are shortened.">
      <KeyValueList
        items={evidence.map(({ label, value, digest }, index) => {
          if (digest === undefined) return { label, value: TIME.test(value) ? <ExactTime at={value} /> : value };
          const isReceived = evidence.findIndex((each) => each.digest !== undefined) === index;
          const other = isReceived ? expected[0] : received;
          return { label, value: <Digest digits={digest} differsAt={other === undefined ? -1 : firstDifference(digest, other)} /> };
        })}
      />
    </Section>
  );
}

/** Returns the index of the first digit in which two digests differ; -1 if they don't. */
const firstDifference = (one: string, other: string) => [...one].findIndex((digit, at) => digit !== other[at]);

function Digest({ digits, differsAt }: { digits: string; differsAt: number }) {
  if (differsAt < 0) return <span className="font-mono">{digits}…</span>;
  return (
    <span className="font-mono">
      {digits.slice(0, differsAt)}
      <mark className="rounded-sm bg-failed-surface text-failed underline" title={`Differs from digit ${differsAt + 1}`}>
        {digits[differsAt]}
      </mark>
      {digits.slice(differsAt + 1)}…
    </span>
  );
}

const reasonWords = (reason: QuarantineReason): string => QUARANTINE_FILTERS.reason.choices[reason];
