"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { DeliveryTable } from "#components/records/delivery-table";
import { FilterRow } from "#components/records/filters/filter-row";
import { useUrlFilter } from "#components/records/filters/use-url-filter";
import { ErrorState, LoadingState } from "#components/ui/layout/empty-state";
import { LoadOlder } from "#components/ui/lists/load-older";
import { deliveriesQuery } from "#lib/client/queries/forwarding/destinations";
import { DELIVERY_FILTERS, type DeliveryGroup, STATES_OF } from "#lib/contracts/filters/delivery-filters";
import type { DeliveryRetriesBody } from "#lib/contracts/forwarding/delivery-retries";
import { RetryDeliveries } from "./retry-deliveries.tsx";
import { NewestRetry } from "./retry-progress.tsx";

type Retried = { states: DeliveryRetriesBody["filter"]["state"]; label: string };

/** Groups of deliveries that can be sent again at once. */
const RETRIED: Partial<Record<DeliveryGroup, Retried>> = {
  exhausted: { states: ["exhausted"], label: "exhausted" },
  skipped: { states: ["skipped", "cancelled"], label: "skipped" },
};

type DeliveriesSectionProps = {
  destinationId: string;
  canManage: boolean;
  /** The destination accepts deliveries, so sending again can succeed. */
  active: boolean;
};

export function DeliveriesSection({ destinationId, canManage, active }: DeliveriesSectionProps) {
  const { filter, setFilter } = useUrlFilter(DELIVERY_FILTERS);
  const group = filter.state;
  const states = group === undefined ? [] : STATES_OF[group];
  const retried = group === undefined ? undefined : RETRIED[group];
  const query = useInfiniteQuery(deliveriesQuery({ destination: destinationId, states }));
  const deliveries = query.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <div className="flex flex-col gap-3">
      <NewestRetry allowed={canManage} />
      <FilterRow
        what="deliveries"
        filters={DELIVERY_FILTERS}
        filter={filter}
        onChange={setFilter}
        menus={
          canManage && retried ? (
            <RetryDeliveries
              key={group}
              destination={destinationId}
              {...retried}
              offered={deliveries.length > 0}
              primary={active && group === "exhausted"}
            />
          ) : null
        }
      />
      {deliveries.length > 0 ? (
        <>
          <DeliveryTable deliveries={deliveries} label="Deliveries to this destination, newest first" by="event" />
          <LoadOlder query={query} className="self-start" />
        </>
      ) : query.isPending ? (
        <LoadingState what="deliveries" rows={5} />
      ) : query.isError ? (
        <ErrorState what="the deliveries" error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <p className="py-6 text-center text-13 text-muted">
          {group === undefined ? "No deliveries yet. Events that are received from now on appear here." : "No deliveries in this state."}
        </p>
      )}
    </div>
  );
}
