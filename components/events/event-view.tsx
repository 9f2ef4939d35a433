"use client";

import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { EventActions } from "#components/events/event-actions";
import { EventBadges, EventFacts } from "#components/events/event-head";
import { EventNotices } from "#components/events/event-notices";
import { EventSteps } from "#components/events/event-steps";
import { EventTabs } from "#components/events/event-tabs";
import { ErrorState, LoadingState } from "#components/ui/empty-state";
import { PageHeader } from "#components/ui/page-header";
import { eventQuery } from "#lib/client/events";
import type { EventDetail } from "#lib/contracts/events";

type EventViewProps = {
  id: string;
  canRedeliver: boolean;
  /** Beside the list: a smaller head with the list's own buttons. */
  inspector?: { title: (event: EventDetail | undefined, actions: ReactNode) => ReactNode; eventHref: (id: string) => string };
};

const pageHref = (id: string) => `/events/${encodeURIComponent(id)}`;

/** One event, the failure first: whole on its page, or in the inspector beside the list. */
export function EventView({ id, canRedeliver, inspector }: EventViewProps) {
  const { data: event, error, refetch } = useQuery(eventQuery(id));
  const [tab, setTab] = useState("payload");
  const actions = event ? <EventActions event={event} canRedeliver={canRedeliver} inInspector={inspector !== undefined} /> : null;
  return (
    <>
      {inspector ? inspector.title(event, actions) : <WholeHead event={event} actions={actions} />}
      {event ? (
        <div className={inspector ? "flex flex-col gap-5 px-4 py-4" : "flex flex-col gap-6"}>
          <EventNotices event={event} canRedeliver={canRedeliver} />
          <EventFacts event={event} />
          <EventSteps event={event} />
          <EventTabs event={event} eventHref={inspector?.eventHref ?? pageHref} tab={tab} onTab={setTab} />
        </div>
      ) : error ? (
        <ErrorState what="this event" error={error} onRetry={() => void refetch()} />
      ) : (
        <LoadingState what="the event" rows={8} />
      )}
    </>
  );
}

function WholeHead({ event, actions }: { event: EventDetail | undefined; actions: ReactNode }) {
  if (!event) return <PageHeader title="Event" />;
  return <PageHeader title={event.title} meta={<EventBadges event={event} />} actions={actions} />;
}
