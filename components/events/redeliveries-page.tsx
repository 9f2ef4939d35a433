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
import { isEmptyFilter, writeFilter } from "#lib/client/event-filter";
import { redeliveriesQuery } from "#lib/client/redeliveries";
import type { RedeliveryProgress } from "#lib/contracts/redeliveries";

/** Every re-delivery that was begun, with its progress; abort and resume. */
export function RedeliveriesPage({ canRedeliver }: { canRedeliver: boolean }) {
  const { data, error, refetch } = useQuery(redeliveriesQuery);
  return (
    <>
      <PageHeader
        title="Re-deliveries"
        description="What was delivered again, from the raw bytes, with the logic of its day. History itself is never rewritten."
        actions={<LinkButton href="/events">Events</LinkButton>}
      />
      {data && data.data.length > 0 ? (
        <Table label="Re-deliveries, newest first" wide>
          <TableHead>
            <HeadCell>Name</HeadCell>
            <HeadCell>Progress</HeadCell>
            <HeadCell>By</HeadCell>
            <HeadCell align="right">Begun</HeadCell>
            <HeadCell align="right">
              <span className="sr-only">Actions</span>
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
        <NothingYet icon={<RotateCw aria-hidden />} title="Nothing was re-delivered yet">
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
      <Cell className="w-full min-w-40 max-w-0 py-2">
        <p className="truncate font-medium">{name ?? set}</p>
        {filter === null ? null : (
          <TextLink href={`/events?${writeFilter(filter)}`}>
            <span className="text-12">What the filter matches now</span>
          </TextLink>
        )}
      </Cell>
      <Cell className="py-2">
        <RedeliveryState redelivery={redelivery} />
      </Cell>
      <Cell className="text-muted">{requestedBy ?? "Nobody"}</Cell>
      <Cell align="right" className="text-muted">
        <RelativeTime at={createdAt} />
      </Cell>
      <Cell align="right">
        <RedeliveryControls redelivery={redelivery} allowed={canRedeliver} />
      </Cell>
    </Row>
  );
}
