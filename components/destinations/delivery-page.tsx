"use client";

import { useQuery } from "@tanstack/react-query";
import { RotateCw } from "lucide-react";
import { DeliveryStateBadge } from "#components/records/delivery-looks";
import { CopyButton } from "#components/ui/code-block";
import { ProblemNotice } from "#components/ui/feedback/problem-notice";
import { tellOutcome } from "#components/ui/feedback/toast";
import { withFallback } from "#components/ui/layout/content-states";
import { KeyValueList } from "#components/ui/layout/key-value-list";
import { PageHeader } from "#components/ui/layout/page-header";
import { Section } from "#components/ui/layout/section";
import { StateBadge } from "#components/ui/primitives/badge";
import { Button } from "#components/ui/primitives/button";
import { TextLink } from "#components/ui/primitives/page-link";
import { RelativeTime } from "#components/ui/relative-time";
import { requestAsCurl } from "#lib/client/format/raw-request";
import { deliveryQuery, useRetryDelivery } from "#lib/client/queries/destinations";
import { visible } from "#lib/contracts/api/plain-text";
import type { AttemptOutcome, DeliveryAttempt, DeliveryDetail } from "#lib/contracts/forwarding/deliveries";
import { AttemptExchange, Durations } from "./delivery-attempt.tsx";

export function DeliveryPage({ id, canManage }: { id: string; canManage: boolean }) {
  const { data: delivery, fallback } = withFallback(useQuery(deliveryQuery(id)), { what: "the delivery" });
  if (!delivery) return fallback;
  return (
    <div className="flex flex-col gap-6">
      <PageHeader
        title={delivery.event.title}
        meta={<DeliveryStateBadge state={delivery.state} />}
        description={
          <>
            To <TextLink href={`/destinations/${encodeURIComponent(delivery.destination.id)}`}>{delivery.destination.name}</TextLink>
          </>
        }
        actions={canManage ? <SendAgain delivery={delivery} /> : undefined}
      />
      <Problem delivery={delivery} />
      <KeyValueList items={factsOf(delivery)} />
      <Section title="Attempts" description={delivery.attemptLog.length === 0 ? "None yet." : "Newest first."}>
        <ol className="flex flex-col gap-6">
          {delivery.attemptLog.map((attempt) => (
            <Attempt key={attempt.id} attempt={attempt} body={delivery.body} />
          ))}
        </ol>
      </Section>
    </div>
  );
}

/** An outcome for which no request was sent to the target. */
const UNDECIDED: AttemptOutcome = "filter_too_costly";

function Problem({ delivery: { state, last } }: { delivery: DeliveryDetail }) {
  if (last === null || state === "delivered" || state === "skipped" || state === "cancelled") return null;
  const why = last.outcome === UNDECIDED ? "Not sent: unknown whether it matches the filter" : "Not delivered, and no attempts are left";
  const what = state === "exhausted" ? `${why}: ${last.detail}` : `The last attempt failed: ${last.detail}`;
  return <ProblemNotice tone={state === "exhausted" ? "failed" : "attention"} what={what} fix={last.fix ?? undefined} />;
}

const factsOf = ({ id, event, subject, subjectName, attempts, createdAt, nextAttemptAt, finishedAt, last, state }: DeliveryDetail) => [
  { label: "Event", value: <TextLink href={`/events/${encodeURIComponent(event.id)}`}>{visible(event.id)}</TextLink> },
  {
    label: "Subject",
    value:
      subjectName === undefined ? (
        <span className="font-mono text-12">{visible(subject)}</span>
      ) : (
        <bdi title={visible(subject)}>{visible(subjectName)}</bdi>
      ),
  },
  { label: "Delivery ID", value: <span className="font-mono text-12">{id}</span> },
  { label: "Attempts", value: attempts },
  { label: "Created", value: <RelativeTime at={createdAt} /> },
  ...(nextAttemptAt === null ? [] : [{ label: "Next attempt", value: <RelativeTime at={nextAttemptAt} ahead /> }]),
  ...(finishedAt === null ? [] : [{ label: "Finished", value: <RelativeTime at={finishedAt} /> }]),
  ...((state === "skipped" || state === "cancelled") && last ? [{ label: "Reason", value: last.detail }] : []),
];

function Attempt({ attempt, body }: { attempt: DeliveryAttempt; body: DeliveryDetail["body"] }) {
  const { number, at, outcome, detail, probe, durations, request, response } = attempt;
  return (
    <li className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
        <h3 className="text-13 font-medium">Attempt {number}</h3>
        <StateBadge state={outcome === "delivered" ? "fine" : "failed"}>{detail}</StateBadge>
        {probe ? <span className="text-12 text-muted">probe</span> : null}
        <RelativeTime at={at} className="text-12 text-muted" />
        {body === null ? null : <CopyButton words label="Copy as cURL" value={requestAsCurl(request, body)} className="ml-auto" />}
      </div>
      <Durations durations={durations} />
      <AttemptExchange request={request} response={response} body={body} />
    </li>
  );
}

function SendAgain({ delivery: { id, state, attempts } }: { delivery: DeliveryDetail }) {
  const retry = useRetryDelivery(id);
  const isOnItsWay = state === "waiting" || (state === "held" && attempts === 0);
  if (isOnItsWay) return null;
  return (
    <Button
      variant="primary"
      icon={<RotateCw />}
      loading={retry.isPending}
      onClick={() =>
        tellOutcome(retry.mutateAsync(), state === "held" ? "Sent when the destination resumes" : "Sending again", "Couldn't send it again")
      }
    >
      Send again
    </Button>
  );
}
