"use client";

import { StateBadge } from "#components/records/badges/state-badge";
import { Cell, Row, RowLink } from "#components/ui/layout/table";
import { Badge } from "#components/ui/primitives/badge";
import { TimeAgo } from "#components/ui/time/time-ago";
import { formatIp } from "#lib/client/format/format-ip";
import type { QuarantineItem } from "#lib/contracts/quarantine";

export function QuarantineRow({ item }: { item: QuarantineItem }) {
  return (
    <Row>
      <Cell className="w-full max-w-0 py-2">
        <span className="flex items-center gap-2">
          <RowLink href={`/quarantine/${encodeURIComponent(item.id)}`} className="truncate">
            <span title={item.verdict}>{item.verdict}</span>
          </RowLink>
          {item.releasedAt === null ? null : <Badge tone="fine">Released</Badge>}
          {item.dismissedAt === null || item.releasedAt !== null ? null : <Badge>Dismissed</Badge>}
        </span>
        <span className="block truncate text-12 text-muted" title={item.fix}>
          {item.fix}
        </span>
      </Cell>
      <Cell className="@max-[760px]:hidden">
        <SignatureBadge item={item} />
      </Cell>
      <Cell className="@max-[760px]:hidden">
        <span className="block max-w-32 truncate text-muted">{item.source}</span>
      </Cell>
      <Cell className="@max-[760px]:hidden font-mono text-12 text-muted">{item.ip === null ? "unknown" : formatIp(item.ip)}</Cell>
      <Cell align="right" className="text-muted">
        <TimeAgo at={item.receivedAt} titled />
      </Cell>
    </Row>
  );
}

/** Shows whether the signature is valid. Green only once released: a valid signature doesn't make an event. */
export function SignatureBadge({ item: { verified, diagnosis, releasedAt } }: { item: QuarantineItem }) {
  if (releasedAt !== null) return <StateBadge state="fine">Verified</StateBadge>;
  if (verified) return <StateBadge state="neutral">Valid signature</StateBadge>;
  if (diagnosis?.verifiesNow) return <StateBadge state="working">Verifies now</StateBadge>;
  return <StateBadge state="failed">Not verified</StateBadge>;
}
