"use client";

import { AttemptsTab } from "#components/events/attempts-tab";
import { EffectsTab } from "#components/events/effects-tab";
import { HeadersTab } from "#components/events/headers-tab";
import { PayloadTab } from "#components/events/payload-tab";
import { RelatedTab } from "#components/events/related-tab";
import { VerificationTab } from "#components/events/verification-tab";
import { Tabs } from "#components/ui/tabs";
import type { EventDetail } from "#lib/contracts/events";

type EventTabsProps = { event: EventDetail; eventHref: (id: string) => string; tab: string; onTab: (tab: string) => void };

/** Everything that is known about an event, by question. The tab stays when the event changes. */
export function EventTabs({ event, eventHref, tab, onTab }: EventTabsProps) {
  return (
    <Tabs
      label="About this event"
      value={tab}
      onValueChange={onTab}
      items={[
        { value: "payload", label: "Payload", content: <PayloadTab event={event} /> },
        { value: "headers", label: "Headers", content: <HeadersTab headers={event.headers} /> },
        { value: "verification", label: "Verification", content: <VerificationTab event={event} /> },
        { value: "attempts", label: "Attempts", count: event.attempts.length, content: <AttemptsTab event={event} /> },
        { value: "effects", label: "Effects", count: event.effects.length, content: <EffectsTab event={event} eventHref={eventHref} /> },
        { value: "related", label: "Related", count: event.related.length, content: <RelatedTab event={event} eventHref={eventHref} /> },
      ]}
    />
  );
}
