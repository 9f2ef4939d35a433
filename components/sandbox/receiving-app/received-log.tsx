"use client";

import { Inbox } from "lucide-react";
import { StateBadge } from "#components/records/badges/state-badge";
import { ResourceId } from "#components/records/resource-id";
import { CodeBlock } from "#components/ui/json/code-block";
import { NothingYet } from "#components/ui/layout/empty-state";
import { Section } from "#components/ui/layout/section";
import { Cell, HeadCell, Row, Table, TableBody, TableHead } from "#components/ui/layout/table";
import { Dialog } from "#components/ui/overlay/dialog";
import { Badge } from "#components/ui/primitives/badge";
import { RelativeTime } from "#components/ui/time/relative-time";
import { formatNumber } from "#lib/contracts/counts/format-count";
import type { ReceivedRequest, ReceivedSignature } from "#lib/contracts/forwarding/receiving-app";

const SIGNATURES: Record<ReceivedSignature, string> = { verified: "Verified", wrong: "Does not match", missing: "Missing" };

export function ReceivedLog({ received, requests }: { received: ReceivedRequest[]; requests: number }) {
  return (
    <Section
      title="Received requests"
      description={
        received.length < requests ? `The newest ${received.length} of ${formatNumber(requests)}.` : `${formatNumber(requests)} received.`
      }
      className="min-w-0"
    >
      {received.length === 0 ? (
        <NothingYet icon={<Inbox aria-hidden />} title="Nothing received yet">
          Create a destination, then send an event from the sandbox.
        </NothingYet>
      ) : (
        <Table label="Requests that the receiving app received" className="overflow-x-auto [--sticky-top:0px]">
          <TableHead>
            <HeadCell>Answered</HeadCell>
            <HeadCell>Signature</HeadCell>
            <HeadCell>Type</HeadCell>
            <HeadCell>Event</HeadCell>
            <HeadCell align="right">Attempt</HeadCell>
            <HeadCell align="right">Received</HeadCell>
          </TableHead>
          <TableBody>
            {received.map((request) => (
              <ReceivedRow key={request.id} request={request} />
            ))}
          </TableBody>
        </Table>
      )}
    </Section>
  );
}

function ReceivedRow({ request }: { request: ReceivedRequest }) {
  const { status, signature, eventId, attempt, at, seenBefore } = request;
  const accepted = status >= 200 && status < 300;
  return (
    <Row>
      <Cell>
        <StateBadge state={accepted ? "fine" : "failed"}>{status}</StateBadge>
      </Cell>
      <Cell className={signature === "verified" ? "" : "text-failed"}>{SIGNATURES[signature]}</Cell>
      <Cell className="w-full min-w-36 max-w-0">
        <span className="flex items-center gap-2">
          <RequestDialog request={request} />
          {seenBefore ? <Badge>Seen before</Badge> : null}
        </span>
      </Cell>
      <Cell>{eventId === null ? null : <ResourceId id={eventId} href={`/events/${encodeURIComponent(eventId)}`} />}</Cell>
      <Cell align="right" className="tabular-nums">
        {attempt}
      </Cell>
      <Cell align="right" className="text-muted">
        <RelativeTime at={at} />
      </Cell>
    </Row>
  );
}

function RequestDialog({ request: { type, headers, body } }: { request: ReceivedRequest }) {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return (
    <Dialog
      title={type ?? "Received request"}
      className="max-w-[720px]"
      trigger={
        <button type="button" title={type ?? "Unknown"} className="min-w-0 truncate text-left text-accent-text hover:underline">
          {type ?? "Unknown"}
        </button>
      }
    >
      <div className="flex flex-col gap-4">
        <CodeBlock title="Headers" label="headers" code={lines.join("\n")} />
        <CodeBlock title="Body" label="body" code={body} />
      </div>
    </Dialog>
  );
}
