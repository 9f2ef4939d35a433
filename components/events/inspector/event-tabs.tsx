"use client";

import { Tabs } from "#components/ui/layout/tabs";
import { useEventDeliveries } from "#lib/client/queries/forwarding/destinations";
import type { EventDetail } from "#lib/contracts/events/events";
import { AttemptsTab } from "./tabs/attempts-tab.tsx";
import { DeliveriesTab } from "./tabs/deliveries-tab.tsx";
import { EffectsTab } from "./tabs/effects-tab.tsx";
import { HeadersTab } from "./tabs/headers-tab.tsx";
import { LocalDeliveriesTab } from "./tabs/local-deliveries-tab.tsx";
import { PayloadTab } from "./tabs/payload-tab.tsx";
import { RelatedTab } from "./tabs/related-tab.tsx";
import { TimingTab } from "./tabs/timing-tab.tsx";
import { VerificationTab } from "./tabs/verification-tab.tsx";

type EventTabsProps = { event: EventDetail; eventHref: (id: string) => string; tab: string; onTab: (tab: string) => void };

export function EventTabs({ event, eventHref, tab, onTab }: EventTabsProps) {
  const { data: deliveries } = useEventDeliveries(event.id);
  const items = [
    { value: "payload", label: "Payload", content: <PayloadTab event={event} /> },
    { value: "headers", label: "Headers", content: <HeadersTab headers={event.headers} /> },
    { value: "verification", label: "Verification", content: <VerificationTab event={event} /> },
    { value: "attempts", label: "Attempts", count: event.attempts.length, content: <AttemptsTab event={event} /> },
    { value: "deliveries", label: "Deliveries", count: deliveries?.length, content: <DeliveriesTab eventId={event.id} /> },
    { value: "effects", label: "Effects", count: event.effects.length, content: <EffectsTab event={event} eventHref={eventHref} /> },
    {
      value: "local",
      label: "Local deliveries",
      count: event.localDeliveries.length,
      content: <LocalDeliveriesTab event={event} />,
    },
    { value: "timing", label: "Timing", content: <TimingTab event={event} /> },
    { value: "related", label: "Related", count: event.related.length, content: <RelatedTab event={event} eventHref={eventHref} /> },
  ];
  // The tab comes from the URL and may be mistyped.
  const shown = items.some(({ value }) => value === tab) ? tab : "payload";
  return <Tabs label="About this event" value={shown} onValueChange={onTab} items={items} />;
}
