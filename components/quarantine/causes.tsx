"use client";

import { useQuery } from "@tanstack/react-query";
import { Section } from "#components/ui/layout/section";
import { formatNumber } from "#components/ui/lists/count";
import { useSteadyOrder } from "#components/ui/lists/use-steady-order";
import { Button } from "#components/ui/primitives/button";
import { TimeAgo } from "#components/ui/time/time-ago";
import { quarantineCausesQuery } from "#lib/client/queries/quarantine/requests";
import { isEmptyFilter } from "#lib/client/url-filter";
import type { QuarantineCauseFilter } from "#lib/contracts/filters/quarantine-filters";
import type { QuarantineCauses } from "#lib/contracts/quarantine";
import { DismissButton, requestsWords } from "./dismiss-quarantined.tsx";
import { reasonWords } from "./reason-labels.tsx";

const keyOf = ({ reason, source }: QuarantineCauses["data"][number]) => `${reason} ${source}`;

type CausesProps = { filter: QuarantineCauseFilter; canDismiss: boolean; onShow: (cause: QuarantineCauseFilter) => void };

/** Shows what is in quarantine and matches, grouped by cause: every request is counted, not only the loaded ones. */
export function Causes({ filter, canDismiss, onShow }: CausesProps) {
  const { data } = useQuery(quarantineCausesQuery(filter));
  const { rows: causes, listeners } = useSteadyOrder(data?.data ?? [], keyOf);
  if (!data || causes.length === 0) return null;
  return (
    <Section title={`${requestsWords(data.total)} in quarantine${isEmptyFilter(filter) ? "" : " that match"}, by cause`}>
      <ul aria-label="Causes, the most frequent first" className="border-t border-line" {...listeners}>
        {causes.map((cause) => (
          <Cause key={keyOf(cause)} filter={filter} cause={cause} canDismiss={canDismiss} onShow={onShow} />
        ))}
      </ul>
    </Section>
  );
}

function Cause({ filter, cause, canDismiss, onShow }: CausesProps & { cause: QuarantineCauses["data"][number] }) {
  const { reason, source, count, senders, lastAt } = cause;
  const name = `${reasonWords(reason)}, ${source}`;
  return (
    <li data-row className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line py-2">
      <span className="w-14 shrink-0 text-right font-medium tabular-nums">{formatNumber(count)}</span>
      <p className="min-w-0 flex-1 basis-56 break-words">
        {reasonWords(reason)} <span className="text-muted">on {source}</span>
        <span className="block text-12 text-muted">
          {senders === 1 ? "1 IP address" : `${formatNumber(senders)} IP addresses`}, last <TimeAgo at={lastAt} titled />
        </span>
      </p>
      <div className="flex gap-2">
        <Button size="sm" variant="ghost" aria-label={`Show: ${name}`} onClick={() => onShow({ ...filter, reason, source })}>
          Show
        </Button>
        <DismissButton
          filter={{ ...filter, reason, source }}
          label={`Dismiss ${formatNumber(count)}`}
          name={`Dismiss ${formatNumber(count)}: ${name}`}
          allowed={canDismiss}
        />
      </div>
    </li>
  );
}
