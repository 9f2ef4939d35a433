"use client";

import { Badge } from "#components/ui/badge";
import { StateBadge } from "#components/ui/state-badge";
import { Cell, Row, RowLink } from "#components/ui/table";
import { TimeAgo } from "#components/ui/time-ago";
import { addressWords } from "#lib/client/remote-address";
import type { QuarantineItem } from "#lib/contracts/quarantine";

/** One refused request: the verdict and, under it, what to do. */
export function RefusedRow({ item }: { item: QuarantineItem }) {
  return (
    <Row>
      <Cell className="w-full max-w-0 py-2">
        <span className="flex items-center gap-2">
          <RowLink href={`/refused/${encodeURIComponent(item.id)}`} className="truncate">
            <span title={item.verdict}>{item.verdict}</span>
          </RowLink>
          {item.admittedAt === null ? null : <Badge tone="fine">Admitted</Badge>}
        </span>
        <span className="block truncate text-12 text-muted" title={item.mend}>
          {item.mend}
        </span>
      </Cell>
      <Cell className="@max-[760px]:hidden">
        <SignatureBadge item={item} />
      </Cell>
      <Cell className="@max-[760px]:hidden">
        <span className="block max-w-32 truncate text-muted">{item.source}</span>
      </Cell>
      <Cell className="@max-[760px]:hidden font-mono text-12 text-muted">
        {item.remoteAddress === null ? "not known" : addressWords(item.remoteAddress)}
      </Cell>
      <Cell align="right" className="text-muted">
        <TimeAgo at={item.receivedAt} titled />
      </Cell>
    </Row>
  );
}

/** Whether the signature was right: a refused request may be signed rightly and still be no event, or verify since. */
export function SignatureBadge({ item: { verified, diagnosis, admittedAt } }: { item: QuarantineItem }) {
  if (verified || admittedAt !== null) return <StateBadge state="fine">Verified</StateBadge>;
  if (diagnosis?.verifiesNow) return <StateBadge state="working">Verifies now</StateBadge>;
  return <StateBadge state="failed">Not verified</StateBadge>;
}
