"use client";

import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { EventStateBadge } from "#components/records/event-state-badge";
import { ResourceId, ResourceName } from "#components/records/resource-id";
import { lazyComponent } from "#components/ui/feedback/lazy-component";
import { withFallback } from "#components/ui/layout/content-states";
import { PageHeader } from "#components/ui/layout/page-header";
import { Tabs } from "#components/ui/layout/tabs";
import { useUrlParameter } from "#components/ui/lists/use-page-query";
import { Badge } from "#components/ui/primitives/badge";
import { bySubject, resourceHref } from "#lib/client/format/resource-links";
import { eventQuery } from "#lib/client/queries/events";
import { visible } from "#lib/contracts/api/plain-text";
import type { EventDetail, EventSummary } from "#lib/contracts/events/events";
import { countWords } from "#lib/contracts/format-count";
import { EventActions } from "./event-actions.tsx";
import { EventNotices } from "./event-notices.tsx";
import { EventSteps } from "./event-steps.tsx";
import { PayloadTab } from "./payload-tab.tsx";

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
  const { data: event, fallback } = withFallback(useQuery(eventQuery(id)), { what: "this event", loading: "the event", rows: 8 });
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
      ) : (
        fallback
      )}
    </>
  );
}

function WholeHead({ event, actions }: { event: EventDetail | undefined; actions: ReactNode }) {
  if (!event) return <PageHeader title="Event" />;
  return <PageHeader title={event.title} meta={<EventBadges event={event} />} actions={actions} />;
}

function EventDetails({ event }: { event: EventDetail }) {
  const subjects = bySubject(event.resources);
  return (
    <dl className="flex flex-wrap items-center gap-x-5 gap-y-1.5 text-13">
      <Detail name="ID">
        <ResourceId id={event.id} />
      </Detail>
      <Detail name="Type">
        <span className="break-all font-mono text-12">{visible(event.type)}</span>
      </Detail>
      {event.about && (
        <Detail name="About">
          <bdi className="break-words">{visible(event.about)}</bdi>
        </Detail>
      )}
      {subjects.map((subject) => {
        return (
          <Detail key={`${subject.kind} ${subject.id}`} name={subject.kind.charAt(0).toUpperCase() + subject.kind.slice(1)}>
            <ResourceName resource={subject} href={resourceHref(subject)} className="max-w-72" />
          </Detail>
        );
      })}
    </dl>
  );
}

function Detail({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div className="flex min-w-0 items-baseline gap-1.5">
      <dt className="text-12 text-faint">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </div>
  );
}

export function EventBadges({ event }: { event: EventSummary }) {
  return (
    <span className="flex flex-wrap items-center gap-1.5">
      <EventStateBadge {...event} />
      {event.conflicts > 0 ? <Badge tone="attention">{countWords(event.conflicts, "conflict")}</Badge> : null}
      {event.repeats > 0 ? <Badge>{countWords(event.repeats, "repeat")}</Badge> : null}
    </span>
  );
}

// Loaded when the pointer or the focus comes near: most events are read by their payload.
const RequestTab = lazyComponent(() => import("./request-tabs.tsx").then((module) => module.RequestTab));
const DeliveryTab = lazyComponent(() => import("./history-tabs.tsx").then((module) => module.DeliveryTab));
const EffectsTab = lazyComponent(() => import("./effects-tab.tsx").then((module) => module.EffectsTab));
const RelatedTab = lazyComponent(() => import("./history-tabs.tsx").then((module) => module.RelatedTab));

function prepareTabs(): void {
  for (const tab of [RequestTab, DeliveryTab, EffectsTab]) tab.preload();
}

type EventTabsProps = { event: EventDetail; eventHref: (id: string) => string; tab: string; onTab: (tab: string) => void };

function EventTabs({ event, eventHref, tab, onTab }: EventTabsProps) {
  const items = [
    { value: "payload", label: "Payload", content: <PayloadTab event={event} /> },
    { value: "request", label: "Request", content: <RequestTab event={event} /> },
    { value: "delivery", label: "Delivery", content: <DeliveryTab event={event} /> },
    { value: "effects", label: "Effects", count: event.effects.length, content: <EffectsTab event={event} eventHref={eventHref} /> },
    { value: "related", label: "Related", count: event.related.length, content: <RelatedTab event={event} eventHref={eventHref} /> },
  ];
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the handlers only load code.
    <div onPointerEnter={prepareTabs} onFocus={prepareTabs}>
      <Tabs label="About this event" value={tabOf(tab, items)} onValueChange={onTab} items={items} />
    </div>
  );
}

/** Tabs of earlier versions, in links that were kept. */
const EARLIER: Record<string, string> = {
  headers: "request",
  verification: "request",
  attempts: "delivery",
  deliveries: "delivery",
  local: "delivery",
  timing: "delivery",
};

/** The tab comes from the URL and may be mistyped. */
function tabOf(asked: string, items: { value: string }[]): string {
  const tab = EARLIER[asked] ?? asked;
  return items.some(({ value }) => value === tab) ? tab : FIRST_TAB;
}
