"use client";

import { StateBadge } from "#components/records/badges/state-badge";
import { ResourceId } from "#components/records/resource-id";
import { type KeyValue, KeyValueList } from "#components/ui/layout/key-value-list";
import { TextLink } from "#components/ui/layout/text-link";
import { ExactTime } from "#components/ui/time/exact-time";
import { formatIp } from "#lib/client/format/format-ip";
import type { EventDetail } from "#lib/contracts/events/events";

const FORMS: Record<EventDetail["verification"]["form"], string> = {
  raw: "Raw body",
  reserialized: "Body parsed and re-serialized as JSON (the raw body didn't match)",
  released: "Quarantined at first, released later",
};

const SIGNATURE = "x-webhook-signature";

/** How we know that the platform sent it. */
export function VerificationTab({ event }: { event: EventDetail }) {
  const { form, secretId, secretCreatedAt } = event.verification;
  const signature = event.headers[SIGNATURE];
  const items: KeyValue[] = [
    { label: "Result", value: <StateBadge state={form === "raw" ? "fine" : "attention"}>Verified</StateBadge> },
    { label: "Signed content", value: FORMS[form] },
    { label: "Method", value: "HMAC-SHA256, hexadecimal" },
    ...(signature === undefined
      ? []
      : [{ label: "Signature", value: <ResourceId id={signature} whole />, hint: `from the ${SIGNATURE} header` }]),
    { label: "Secret", value: <ResourceId id={secretId} whole /> },
    {
      label: "Secret created",
      value: secretCreatedAt === null ? "Since deleted" : <ExactTime at={secretCreatedAt} />,
    },
    { label: "Source", value: <TextLink href="/settings/sources">{event.source}</TextLink> },
    {
      label: "Sender IP address",
      value: event.ip === null ? "Unknown" : <ResourceId id={formatIp(event.ip)} whole />,
    },
  ];
  return <KeyValueList items={items} />;
}
