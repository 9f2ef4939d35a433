"use client";

import { ExactTime } from "#components/ui/exact-time";
import { type KeyValue, KeyValueList } from "#components/ui/key-value-list";
import { ResourceId } from "#components/ui/resource-id";
import { StateBadge } from "#components/ui/state-badge";
import { TextLink } from "#components/ui/text-link";
import { addressWords } from "#lib/client/remote-address";
import type { EventDetail } from "#lib/contracts/events";

const FORMS: Record<EventDetail["verification"]["form"], string> = {
  raw: "The raw bytes of the body",
  reserialized: "The body's JSON, parsed and written again: its raw bytes did not match",
  admitted: "Refused at first; verified and admitted from quarantine later",
};

const SIGNATURE = "x-webhook-signature";

/** Why we believe that the platform sent it. */
export function VerificationTab({ event }: { event: EventDetail }) {
  const { form, secretId, secretCreatedAt } = event.verification;
  const signature = event.headers[SIGNATURE];
  const items: KeyValue[] = [
    { label: "Verdict", value: <StateBadge state={form === "raw" ? "fine" : "attention"}>Verified</StateBadge> },
    { label: "Signed over", value: FORMS[form] },
    { label: "Method", value: "HMAC with SHA-256, hexadecimal" },
    ...(signature === undefined
      ? []
      : [{ label: "Signature", value: <ResourceId id={signature} whole />, hint: `from the header ${SIGNATURE}` }]),
    { label: "Secret", value: <ResourceId id={secretId} whole /> },
    {
      label: "Secret's age",
      value: secretCreatedAt === null ? "It has been removed since" : <ExactTime at={secretCreatedAt} />,
      ...(secretCreatedAt === null ? {} : { hint: "when it was made" }),
    },
    { label: "Source", value: <TextLink href="/settings/sources">{event.source}</TextLink> },
    {
      label: "Sender's address",
      value: event.remoteAddress === null ? "Not known" : <ResourceId id={addressWords(event.remoteAddress)} whole />,
    },
  ];
  return <KeyValueList items={items} />;
}
