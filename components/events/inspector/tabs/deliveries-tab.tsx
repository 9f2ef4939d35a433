"use client";

import { DeliveryTable } from "#components/records/delivery-table";
import { ErrorState, LoadingState } from "#components/ui/layout/empty-state";
import { TextLink } from "#components/ui/layout/text-link";
import { useEventDeliveries } from "#lib/client/queries/forwarding/destinations";

export function DeliveriesTab({ eventId }: { eventId: string }) {
  const { data, error, isPending, refetch } = useEventDeliveries(eventId);
  if (isPending) return <LoadingState what="deliveries" rows={2} />;
  if (!data) return <ErrorState what="the deliveries" error={error} onRetry={() => void refetch()} />;
  if (data.length === 0)
    return (
      <p className="py-6 text-center text-13 text-muted">
        No destination receives this event. See <TextLink href="/destinations">Destinations</TextLink>.
      </p>
    );
  return <DeliveryTable deliveries={data} label="Deliveries of this event" by="destination" />;
}
