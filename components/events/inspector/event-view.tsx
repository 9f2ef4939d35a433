"use client";

import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { ErrorState, LoadingState } from "#components/ui/layout/empty-state";
import { PageHeader } from "#components/ui/layout/page-header";
import { useUrlParameter } from "#components/ui/lists/use-url-parameter";
import { eventQuery } from "#lib/client/queries/events/events";
import type { EventDetail } from "#lib/contracts/events/events";
import { EventActions } from "./event-actions.tsx";
import { EventBadges, EventDetails } from "./event-head.tsx";
import { EventNotices } from "./event-notices.tsx";
import { EventSteps } from "./event-steps.tsx";
import { EventTabs } from "./event-tabs.tsx";

type EventViewProps = {
  id: string;
  canRedeliver: boolean;
  inspector?: {
    title: (event: EventDetail | undefined, actions: ReactNode) => ReactNode;
    eventHref: (id: string) => string;
    tab: string | null;
    onTab: (tab: string) => void;
  };
};

const FIRST_TAB = "payload";

const pageHref = (id: string) => `/events/${encodeURIComponent(id)}`;

export function EventView({ id, canRedeliver, inspector }: EventViewProps) {
  const { data: event, error, refetch } = useQuery(eventQuery(id));
  const [ownTab, setOwnTab] = useUrlParameter("tab", FIRST_TAB);
  const [tab, setTab] = inspector ? [inspector.tab ?? FIRST_TAB, inspector.onTab] : [ownTab, setOwnTab];
  const actions = event ? <EventActions event={event} canRedeliver={canRedeliver} inInspector={inspector !== undefined} /> : null;
  return (
    <>
      {inspector ? inspector.title(event, actions) : <WholeHead event={event} actions={actions} />}
      {event ? (
        <div className={inspector ? "flex flex-col gap-5 px-4 py-4" : "flex flex-col gap-6"}>
          <EventNotices event={event} canRedeliver={canRedeliver} />
          <EventDetails event={event} />
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
