"use client";

import { useQuery } from "@tanstack/react-query";
import { RotateCw } from "lucide-react";
import { RedeliveryControls, RedeliveryState } from "#components/events/redelivery-state";
import { ErrorState, LoadingState, NothingYet } from "#components/ui/empty-state";
import { LinkButton } from "#components/ui/link-button";
import { PageHeader } from "#components/ui/page-header";
import { RelativeTime } from "#components/ui/relative-time";
import { Cell, HeadCell, Row, Table, TableBody, TableHead } from "#components/ui/table";
import { TextLink } from "#components/ui/text-link";
import { TimeAgo } from "#components/ui/time-ago";
import { isEmptyFilter, writeFilter } from "#lib/client/event-filter";
import { redeliveriesQuery } from "#lib/client/redeliveries";
import type { RedeliveryProgress } from "#lib/contracts/redeliveries";

/** Columns that a phone has no room for: what they say stands under the name. */
const WIDE = "max-[700px]:hidden";

/** Every re-delivery that was begun, with its progress; abort and resume. */
export function RedeliveriesPage({ canRedeliver }: { canRedeliver: boolean }) {
  const { data, error, refetch } = useQuery(redeliveriesQuery);
  return (
    <>
      <PageHeader
        title="Re-deliveries"
        description="What was delivered again, from the raw bytes, with the logic of its day. History itself is never rewritten."
        actions={<LinkButton href="/events">All events</LinkButton>}
      />
      {data && data.data.length > 0 ? (
        <Table label="Re-deliveries, newest first" wide>
          <TableHead>
            <HeadCell>Name</HeadCell>
            <HeadCell>Progress</HeadCell>
            <HeadCell className={WIDE}>By</HeadCell>
            <HeadCell align="right" className={WIDE}>
              Begun
            </HeadCell>
          </TableHead>
          <TableBody>
            {data.data.map((one) => (
              <Line key={one.id} redelivery={one} canRedeliver={canRedeliver} />
            ))}
          </TableBody>
        </Table>
      ) : error ? (
        <ErrorState what="the re-deliveries" error={error} onRetry={() => void refetch()} />
      ) : data ? (
        <NothingYet
          icon={<RotateCw aria-hidden />}
          title="Nothing was re-delivered yet"
          actions={<LinkButton href="/events">Choose events</LinkButton>}
        >
          Choose events on the page of events, or all that a filter matches, and press Re-deliver.
        </NothingYet>
      ) : (
        <LoadingState what="the re-deliveries" rows={6} />
      )}
    </>
  );
}

function Line({ redelivery, canRedeliver }: { redelivery: RedeliveryProgress; canRedeliver: boolean }) {
  const { id, name, filter, total, requestedBy, createdAt } = redelivery;
  const set =
    filter === null ? (total === 1 ? "One event" : "Chosen events") : isEmptyFilter(filter) ? "All events" : "What a filter matched";
  return (
    <Row data-redelivery={id}>
      <Cell className="w-full min-w-28 max-w-0 py-2 max-[700px]:align-top">
        <p className="truncate font-medium" title={name ?? set}>
          {name ?? set}
        </p>
        {filter === null ? null : (
          <TextLink href={`/events?${writeFilter(filter)}`} className="inline-block py-1 text-12">
            What matches now
          </TextLink>
        )}
        <p className="truncate text-12 text-muted min-[700px]:hidden">
          <TimeAgo at={createdAt} titled /> by {requestedBy ?? "nobody"}
        </p>
      </Cell>
      <Cell className="whitespace-normal py-2">
        <div className="flex items-center gap-3 max-[700px]:flex-col max-[700px]:items-start max-[700px]:gap-2">
          <RedeliveryState redelivery={redelivery} />
          <RedeliveryControls redelivery={redelivery} allowed={canRedeliver} />
        </div>
      </Cell>
      <Cell className={`${WIDE} text-muted`}>
        <span className="block max-w-48 truncate">{requestedBy ?? "Nobody"}</span>
      </Cell>
      <Cell align="right" className={`${WIDE} text-muted`}>
        <RelativeTime at={createdAt} />
      </Cell>
    </Row>
  );
}
