"use client";

import { useRouter } from "next/navigation";
import { type MouseEvent, useEffect, useRef } from "react";
import { EventList } from "#components/events/event-list";
import { type EventType, FilterBar } from "#components/events/filter-bar";
import { HistoryActions } from "#components/events/history-actions";
import type { ConnectionName } from "#components/events/more-filter-fields";
import { useEventAddress } from "#components/events/use-event-address";
import { useListKeys } from "#components/events/use-list-keys";
import { useWide } from "#components/events/use-wide";
import { VolumeChart } from "#components/events/volume-chart";
import { later } from "#components/ui/later";
import { PageHeader } from "#components/ui/page-header";

const Inspector = later(() => import("#components/events/inspector").then((module) => module.Inspector));
const FirstEvent = later(() => import("#components/events/first-event").then((module) => module.FirstEvent));

type EventsPageProps = {
  types: EventType[];
  sources: string[];
  connections: ConnectionName[];
  webhookUrl: string | null;
  canRedeliver: boolean;
  canSendTest: boolean;
};

/** The event list; from 1200 px on with the open event beside it. */
export function EventsPage({ types, sources, connections, webhookUrl, canRedeliver, canSendTest }: EventsPageProps) {
  const { filter, selected, setFilter, select, hrefOf } = useEventAddress();
  const wide = useWide();
  const router = useRouter();
  const list = useRef<HTMLDivElement>(null);
  const inspector = useRef<HTMLElement>(null);
  const beside = wide ? selected : null;
  useListKeys({ list, selected: beside, select, enterInspector: () => inspector.current?.focus() });

  // An address with an open event, on a screen without room for it: its own page.
  useEffect(() => {
    if (!wide && selected !== null) router.replace(`/events/${encodeURIComponent(selected)}`);
  }, [wide, selected, router]);

  /** A plain press on a row opens it here; with a modifier, or without room, the link goes its own way. */
  function openHere(event: MouseEvent) {
    if (!wide || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = event.target instanceof Element ? event.target.closest("a[data-row-link]") : null;
    const id = link?.closest<HTMLElement>("[data-event]")?.dataset.event;
    if (id === undefined) return;
    event.preventDefault();
    select(id);
  }

  return (
    <div className="flex w-full items-start">
      <div className="flex min-w-0 flex-1 flex-col gap-4 px-4 py-5 rail:px-6">
        <PageHeader
          title="Events"
          description="Every webhook that verified, as it was received. Newest first."
          actions={<HistoryActions filter={filter} canRedeliver={canRedeliver} />}
        />
        <FilterBar filter={filter} onChange={setFilter} types={types} sources={sources} connections={connections} />
        <VolumeChart filter={filter} onChange={setFilter} />
        {/* biome-ignore lint/a11y/noStaticElementInteractions: the presses are those of the links inside; the rest only fetches code. */}
        <div
          ref={list}
          onClickCapture={openHere}
          onPointerEnter={Inspector.preload}
          onFocus={Inspector.preload}
          className="-mx-4 rail:mx-0"
        >
          <EventList
            filter={filter}
            selected={beside}
            canRedeliver={canRedeliver}
            onChange={setFilter}
            nothingYet={<FirstEvent webhookUrl={webhookUrl} canSendTest={canSendTest} />}
          />
        </div>
      </div>
      {beside === null ? null : (
        <Inspector ref={inspector} id={beside} canRedeliver={canRedeliver} onClose={() => select(null)} eventHref={hrefOf} />
      )}
    </div>
  );
}
