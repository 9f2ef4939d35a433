import { EyeOff } from "lucide-react";
import { ResourceId } from "#components/records/resource-id";
import { CopyButton } from "#components/ui/code-block";
import { type KeyValue, KeyValueList } from "#components/ui/layout/key-value-list";
import { Section } from "#components/ui/layout/section";
import { StateBadge } from "#components/ui/primitives/badge";
import { TextLink } from "#components/ui/primitives/page-link";
import { ExactTime } from "#components/ui/relative-time";
import { formatIp } from "#lib/client/format/caller-labels";
import { sourceHref } from "#lib/client/format/resource-links";
import { visible } from "#lib/contracts/api/plain-text";
import type { EventDetail } from "#lib/contracts/events/events";

type Form = EventDetail["verification"]["form"];

const FORMS: Record<Form, { content: string; result: string; state: "fine" | "attention" }> = {
  raw: { content: "Raw body", result: "Verified", state: "fine" },
  reserialized: {
    content: "Body parsed and re-serialized as JSON: it is what is read, shown and forwarded. The bytes as received stand beside it.",
    result: "Verified",
    state: "attention",
  },
  signed: { content: "What this sender signs, the body included", result: "Signed", state: "fine" },
  signed_late: {
    content: "What this sender signs, the body included. Its timestamp was outside the tolerance; its ID was new.",
    result: "Signed, received late",
    state: "attention",
  },
  partly_signed: {
    content: "Only some fields of the body. Anyone who has seen such a request could change the rest.",
    result: "Partly signed",
    state: "attention",
  },
  token: {
    content: "Nothing: the sender sent a shared secret. Anyone who knows it could send another body.",
    result: "Token",
    state: "attention",
  },
  network: {
    content: "Nothing: the request came from a network that this source knows.",
    result: "Known network",
    state: "attention",
  },
  released: { content: "Quarantined at first, released later", result: "Verified", state: "attention" },
};

const SIGNATURE = "x-webhook-signature";

export function RequestTab({ event }: { event: EventDetail }) {
  return (
    <div className="flex flex-col gap-6">
      <Section title="Verification">
        <Verification event={event} />
      </Section>
      <Section title="Headers">
        <Headers headers={event.headers} />
      </Section>
    </div>
  );
}

function Verification({ event }: { event: EventDetail }) {
  const { form, secretId, secretCreatedAt, covers = [] } = event.verification;
  const signature = event.headers[SIGNATURE];
  const items: KeyValue[] = [
    { label: "Result", value: <StateBadge state={FORMS[form].state}>{FORMS[form].result}</StateBadge> },
    { label: "Signed content", value: FORMS[form].content },
    ...(covers.length === 0 ? [] : [{ label: "Signed fields", value: covers.join(", ") }]),
    ...(signature === undefined ? [] : [{ label: "Method", value: "HMAC-SHA256, hexadecimal" }]),
    ...(signature === undefined
      ? []
      : [{ label: "Signature", value: <ResourceId id={signature} whole />, hint: `from the ${SIGNATURE} header` }]),
    ...(form === "network"
      ? []
      : [
          { label: "Secret", value: <ResourceId id={secretId} whole /> },
          { label: "Secret created", value: secretCreatedAt === null ? "Since deleted" : <ExactTime at={secretCreatedAt} /> },
        ]),
    { label: "Source", value: <TextLink href={sourceHref(event.source)}>{event.source}</TextLink> },
    {
      label: "Sender IP address",
      value: event.ip === null ? "Unknown" : <ResourceId id={formatIp(event.ip)} whole />,
    },
  ];
  return <KeyValueList items={items} />;
}

/** Text that the receiver stores in place of a secret. */
const MASKED = "[masked]";

function Headers({ headers }: { headers: Record<string, string> }) {
  const entries = Object.entries(headers).sort(([a], [b]) => (a < b ? -1 : 1));
  if (entries.length === 0) return <p className="text-13 text-muted">No headers stored.</p>;
  const items = entries.map(([name, value]) => ({
    label: name,
    value: (
      <span className="flex items-start gap-1">
        {value === MASKED ? (
          <span className="flex items-center gap-1.5 text-muted">
            <EyeOff className="size-3.5" /> Masked: secrets aren't shown
          </span>
        ) : (
          <>
            <span className="min-w-0 flex-1 break-all font-mono text-12 leading-5">{visible(value)}</span>
            <CopyButton value={value} label={`Copy ${name}`} className="-my-1" />
          </>
        )}
      </span>
    ),
  }));
  return <KeyValueList items={items} />;
}
