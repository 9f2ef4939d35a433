"use client";

import { useQuery } from "@tanstack/react-query";
import { RotateCw } from "lucide-react";
import { RedeliveryState } from "#components/records/redelivery-state";
import { NothingYet, withFallback } from "#components/ui/layout/content-states";
import { PageHeader } from "#components/ui/layout/page-header";
import { Cell, HeadCell, Row, RowLink, Table, TableBody, TableHead } from "#components/ui/layout/table";
import { LinkButton } from "#components/ui/primitives/button";
import { TextLink } from "#components/ui/primitives/page-link";
import { RelativeTime, TimeAgo } from "#components/ui/relative-time";
import { redeliveriesQuery, redeliverySet } from "#lib/client/queries/redeliveries";
import { filterHref } from "#lib/client/url-filter";
import { EVENT_FILTERS } from "#lib/contracts/events/event-filters";
import type { RedeliveryProgress } from "#lib/contracts/redeliveries";

const WIDE = "max-[700px]:hidden";

export function RedeliveriesPage({ canRedeliver }: { canRedeliver: boolean }) {
  const { data, fallback } = withFallback(useQuery(redeliveriesQuery), { what: "the re-deliveries", rows: 6 });
  return (
    <>
      <PageHeader
        title="Re-deliveries"
        description="Events applied again from their original bytes, with the logic current at the time. The event log itself never changes."
        actions={<LinkButton href="/events">All events</LinkButton>}
      />
      {data && data.data.length > 0 ? (
        <Table label="Re-deliveries, newest first" wide>
          <TableHead>
            <HeadCell>Name</HeadCell>
            <HeadCell>Progress</HeadCell>
            <HeadCell className={WIDE}>By</HeadCell>
            <HeadCell align="right" className={WIDE}>
              Started
            </HeadCell>
          </TableHead>
          <TableBody>
            {data.data.map((one) => (
              <Line key={one.id} redelivery={one} canRedeliver={canRedeliver} />
            ))}
          </TableBody>
        </Table>
      ) : (
        (fallback ?? (
          <NothingYet icon={<RotateCw />} title="No re-deliveries yet" actions={<LinkButton href="/events">Select events</LinkButton>}>
            Select events on the Events page, or filter them, then click Re-deliver.
          </NothingYet>
        ))
      )}
    </>
  );
}

function Line({ redelivery, canRedeliver }: { redelivery: RedeliveryProgress; canRedeliver: boolean }) {
  const { id, name, filter, requestedBy, createdAt } = redelivery;
  const set = redeliverySet(redelivery);
  return (
    <Row data-redelivery={id}>
      <Cell className="w-full min-w-28 max-w-0 py-2 max-[700px]:align-top">
        <p className="truncate" title={name ?? set}>
          <RowLink href={`/redeliveries/${encodeURIComponent(id)}`}>{name ?? set}</RowLink>
        </p>
        {name === null ? null : <p className="truncate text-12 text-muted">{set}</p>}
        {filter === null ? null : (
          <TextLink href={filterHref("/events", EVENT_FILTERS, filter)} className="relative z-1 inline-block py-1 text-12">
            View current matches
          </TextLink>
        )}
        <p className="truncate text-12 text-muted min-[700px]:hidden">
          <TimeAgo at={createdAt} titled /> by {requestedBy ?? "unknown"}
        </p>
      </Cell>
      <Cell className="whitespace-normal py-2">
        <div className="relative z-1 min-[700px]:min-w-96">
          <RedeliveryState redelivery={redelivery} allowed={canRedeliver} />
        </div>
      </Cell>
      <Cell className={`${WIDE} text-muted`}>
        <span className="block max-w-48 truncate">{requestedBy ?? "Unknown"}</span>
      </Cell>
      <Cell align="right" className={`${WIDE} text-muted`}>
        <RelativeTime at={createdAt} />
      </Cell>
    </Row>
  );
}
