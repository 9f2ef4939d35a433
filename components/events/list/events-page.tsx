"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { type MouseEvent, useEffect, useRef } from "react";
import { useEventUrl } from "#components/events/inspector/use-event-url";
import { useWide } from "#components/events/list/use-wide";
import { VolumeChart } from "#components/events/list/volume-chart";
import { type EventType, FilterBar } from "#components/events/search/filter-bar";
import type { ConnectionName } from "#components/events/search/more-filter-fields";
import { PageHeader } from "#components/ui/layout/page-header";
import { lazyComponent } from "#components/ui/lists/lazy-component";
import { cn } from "#components/ui/primitives/cn";
import { eventQuery } from "#lib/client/queries/events/events";
import { EventList } from "./event-list.tsx";
import { HistoryActions } from "./history-actions.tsx";
import { useListKeys } from "./use-list-keys.tsx";
import { useSteadyRow } from "./use-steady-row.tsx";

const Inspector = lazyComponent(() => import("#components/events/inspector/inspector").then((module) => module.Inspector));
const FirstEvent = lazyComponent(() => import("./first-event.tsx").then((module) => module.FirstEvent));

type EventsPageProps = {
  types: EventType[];
  sources: string[];
  connections: ConnectionName[];
  webhookUrl: string | null;
  canRedeliver: boolean;
  canSendTest: boolean;
};

export function EventsPage({ types, sources, connections, webhookUrl, canRedeliver, canSendTest }: EventsPageProps) {
  const { filter, selected, tab, setFilter, select: choose, setTab, hrefOf } = useEventUrl();
  const wide = useWide();
  const router = useRouter();
  const queries = useQueryClient();
  const list = useRef<HTMLDivElement>(null);
  const inspector = useRef<HTMLElement>(null);
  const beside = wide ? selected : null;
  const hold = useSteadyRow(list, beside);
  const select = (id: string | null) => {
    hold(id ?? selected);
    choose(id);
  };
  useListKeys({ list, selected: beside, select, enterInspector: () => inspector.current?.focus() });

  // The URL has an open event, but the screen is too narrow for the inspector.
  useEffect(() => {
    if (!wide && selected !== null) router.replace(`/events/${encodeURIComponent(selected)}`);
  }, [wide, selected, router]);

  function openHere(event: MouseEvent) {
    const id = clickedRow(event);
    if (!wide || id === undefined) return;
    event.preventDefault();
    select(id);
  }
  /** Loads on pointer down: about 80 ms pass until the click. */
  function readAhead(event: MouseEvent) {
    const id = clickedRow(event);
    if (wide && id !== undefined) void queries.prefetchQuery(eventQuery(id));
  }

  return (
    <div className="flex w-full items-start">
      <div className={cn("flex min-w-0 flex-1 flex-col gap-4 px-4 py-5 rail:px-6", beside !== null && "min-h-[calc(100dvh+200px)]")}>
        <PageHeader
          title="Events"
          description="Every verified webhook, newest first."
          actions={<HistoryActions filter={filter} canRedeliver={canRedeliver} />}
        />
        <FilterBar filter={filter} onChange={setFilter} types={types} sources={sources} connections={connections} />
        <VolumeChart filter={filter} onChange={setFilter} />
        {/* biome-ignore lint/a11y/noStaticElementInteractions: the clicks belong to the links inside; the other handlers only prefetch code. */}
        <div
          ref={list}
          onClickCapture={openHere}
          onPointerDownCapture={readAhead}
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
        <Inspector
          ref={inspector}
          id={beside}
          canRedeliver={canRedeliver}
          onClose={() => select(null)}
          eventHref={hrefOf}
          tab={tab}
          onTab={setTab}
        />
      )}
    </div>
  );
}

function clickedRow({ target, button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): string | undefined {
  if (button !== 0 || metaKey || ctrlKey || shiftKey || altKey || !(target instanceof Element)) return undefined;
  return target.closest("a[data-row-link]")?.closest<HTMLElement>("[data-event]")?.dataset.event;
}
