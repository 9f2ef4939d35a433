"use client";

import { useQuery } from "@tanstack/react-query";
import { Send } from "lucide-react";
import { ErrorState, LoadingState, NothingYet } from "#components/ui/layout/empty-state";
import { PageHeader } from "#components/ui/layout/page-header";
import { Cell, HeadCell, Row, RowLink, Table, TableBody, TableHead } from "#components/ui/layout/table";
import { RelativeTime } from "#components/ui/time/relative-time";
import { destinationsQuery } from "#lib/client/queries/forwarding/destinations";
import { formatNumber } from "#lib/contracts/counts/format-count";
import type { Destination } from "#lib/contracts/forwarding/destinations";
import { DestinationStateBadge, exhaustedWords, pendingWords, selectionWords, successRate } from "./destination-labels.tsx";
import { CreateDestinationDialog } from "./form/create-destination-dialog.tsx";
import { ListenersSection } from "./listeners-section.tsx";

type Options = { canManage: boolean; types: string[]; sources: string[] };

export function DestinationsPage(options: Options) {
  return (
    <div className="flex flex-col gap-6">
      <PageHeader
        title="Destinations"
        description="Your own applications that Signalbox sends events to. Each event is delivered at least once."
        actions={options.canManage ? <CreateDestinationDialog types={options.types} sources={options.sources} /> : undefined}
      />
      <Destinations {...options} />
      <ListenersSection />
    </div>
  );
}

function Destinations({ canManage, types, sources }: Options) {
  const { data, error, isPending, refetch } = useQuery(destinationsQuery);
  if (isPending) return <LoadingState what="destinations" rows={3} />;
  if (!data) return <ErrorState what="the destinations" error={error} onRetry={() => void refetch()} />;
  if (data.length === 0)
    return (
      <NothingYet
        icon={<Send aria-hidden />}
        title="No destinations yet"
        actions={canManage ? <CreateDestinationDialog types={types} sources={sources} /> : undefined}
      >
        {canManage
          ? "Add your application's URL. Events received from then on are sent there, signed, with retries."
          : "Ask an owner, admin or developer to add one."}
      </NothingYet>
    );
  return (
    <Table label="Destinations" wide>
      <TableHead>
        <HeadCell>State</HeadCell>
        <HeadCell>Name</HeadCell>
        <HeadCell>Events</HeadCell>
        <HeadCell align="right">Success, 24 h</HeadCell>
        <HeadCell align="right">p95</HeadCell>
        <HeadCell align="right">Pending</HeadCell>
        <HeadCell align="right">Exhausted</HeadCell>
        <HeadCell>Last failure</HeadCell>
      </TableHead>
      <TableBody>
        {data.map((destination) => (
          <DestinationRow key={destination.id} destination={destination} />
        ))}
      </TableBody>
    </Table>
  );
}

function DestinationRow({ destination }: { destination: Destination }) {
  const { id, name, url, state, p95Ms, pending, exhausted, lastFailure } = destination;
  const rate = successRate(destination);
  return (
    <Row>
      <Cell>
        <DestinationStateBadge state={state} />
      </Cell>
      <Cell className="w-1/3 min-w-40 max-w-0 truncate" title={url}>
        <RowLink href={`/destinations/${encodeURIComponent(id)}`}>{name}</RowLink>
        <span className="ml-2 text-12 text-faint">{new URL(url).host}</span>
      </Cell>
      <Cell className="w-1/3 min-w-32 max-w-0 truncate text-muted" title={selectionWords(destination)}>
        {selectionWords(destination)}
      </Cell>
      <Cell align="right" className="tabular-nums">
        {rate ?? <span className="text-faint">No attempts</span>}
      </Cell>
      <Cell align="right" className="tabular-nums text-muted">
        {p95Ms === null ? "–" : `${formatNumber(p95Ms)} ms`}
      </Cell>
      <Cell align="right" className="tabular-nums">
        {pendingWords(pending)}
      </Cell>
      <Cell align="right" className={exhausted > 0 ? "tabular-nums text-failed" : "tabular-nums text-muted"}>
        {exhaustedWords(exhausted)}
      </Cell>
      <Cell className="w-1/3 min-w-40 max-w-0 truncate text-muted" title={lastFailure?.detail}>
        {lastFailure === null ? (
          "None"
        ) : (
          <>
            {lastFailure.detail}, <RelativeTime at={lastFailure.at} />
          </>
        )}
      </Cell>
    </Row>
  );
}
