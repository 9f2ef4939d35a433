"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { DeliveryTable } from "#components/records/delivery-table";
import { ChoiceButtons } from "#components/ui/forms/choice-buttons";
import { ErrorState, LoadingState } from "#components/ui/layout/empty-state";
import { LoadOlder } from "#components/ui/lists/load-older";
import { deliveriesQuery } from "#lib/client/queries/forwarding/destinations";
import type { DeliveryState } from "#lib/contracts/forwarding/deliveries";
import type { DeliveryRetriesBody } from "#lib/contracts/forwarding/delivery-retries";
import { RetryDeliveries } from "./retry-deliveries.tsx";
import { NewestRetry } from "./retry-progress.tsx";

type Retried = DeliveryRetriesBody["filter"]["state"];

type Choice = { value: string; label: string; states: DeliveryState[]; retried?: { states: Retried; label: string } };

const CHOICES: Choice[] = [
  { value: "all", label: "All", states: [] },
  { value: "pending", label: "Pending", states: ["waiting", "retrying", "held"] },
  { value: "delivered", label: "Delivered", states: ["delivered"] },
  { value: "exhausted", label: "Exhausted", states: ["exhausted"], retried: { states: ["exhausted"], label: "exhausted" } },
  {
    value: "skipped",
    label: "Skipped or cancelled",
    states: ["skipped", "cancelled"],
    retried: { states: ["skipped", "cancelled"], label: "skipped" },
  },
];

type DeliveriesSectionProps = {
  destinationId: string;
  canManage: boolean;
  /** It takes deliveries: what is sent again can succeed. */
  active: boolean;
  /** The choice selected at first. */
  initial: string | null;
};

/** The deliveries of a destination, by state. */
export function DeliveriesSection({ destinationId, canManage, active, initial }: DeliveriesSectionProps) {
  const [chosen, setChosen] = useState(initial ?? "all");
  const choice = CHOICES.find(({ value }) => value === chosen);
  const states = choice?.states ?? [];
  const query = useInfiniteQuery(deliveriesQuery({ destination: destinationId, states }));
  const deliveries = query.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <div className="flex flex-col gap-3">
      <NewestRetry allowed={canManage} />
      <div className="flex flex-wrap items-center gap-3">
        <ChoiceButtons legend="State" choices={CHOICES} chosen={chosen} onChoose={setChosen} />
        {canManage && choice?.retried ? (
          <RetryDeliveries
            key={chosen}
            destination={destinationId}
            {...choice.retried}
            offered={deliveries.length > 0}
            primary={active && chosen === "exhausted"}
          />
        ) : null}
      </div>
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
          {chosen === "all" ? "No deliveries yet. Events that are received from now on appear here." : "No deliveries in this state."}
        </p>
      )}
    </div>
  );
}
