"use client";

import { useQueryClient } from "@tanstack/react-query";
import { Download, Ellipsis, History, RotateCw } from "lucide-react";
import { useRouter } from "next/navigation";
import { type MouseEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { type EventType, FilterBar } from "#components/events/search/filter-bar";
import type { ConnectionName } from "#components/events/search/more-filter-fields";
import { useCommands } from "#components/shell/palette/commands";
import { lazyComponent } from "#components/ui/feedback/lazy-component";
import { toast } from "#components/ui/feedback/toast";
import { PageHeader } from "#components/ui/layout/page-header";
import type { MenuEntry } from "#components/ui/overlay/panes/menu-pane";
import { DropdownMenu } from "#components/ui/overlay/popover";
import { Button, LinkButton } from "#components/ui/primitives/button";
import { cn } from "#components/ui/primitives/cn";
import { useHydrated } from "#components/ui/primitives/use-hydrated";
import { dayStart, useTimeZoneChoice } from "#components/ui/time-format";
import { eventQuery, useExport } from "#lib/client/queries/events";
import { compact, isEmptyFilter } from "#lib/client/url-filter";
import { seeksNothing } from "#lib/contracts/events/event-filters";
import type { EventFilter } from "#lib/contracts/events/events";
import { EventList } from "./event-list.tsx";
import { ORDER_WORDS } from "./event-table.tsx";
import { useEventUrl, useListKeys, useSteadyRow, useWide } from "./open-event.tsx";

const Inspector = lazyComponent(() => import("#components/events/inspector/inspector").then((module) => module.Inspector));
const VolumeChart = lazyComponent(() => import("./volume-chart.tsx").then((module) => module.VolumeChart), true);
const FirstEvent = lazyComponent(() => import("./first-event.tsx").then((module) => module.FirstEvent));

/** Height of the chart with its captions, in pixels. */
const CHART_SPACE = 186;

type EventsPageProps = {
  types: EventType[];
  sources: string[];
  connections: ConnectionName[];
  webhookUrl: string | null;
  canRedeliver: boolean;
  canSendTest: boolean;
};

export function EventsPage({ types, sources, connections, webhookUrl, canRedeliver, canSendTest }: EventsPageProps) {
  const { filter, order, selected, tab, setFilter, setOrder, select: choose, setTab, hrefOf } = useEventUrl();
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
      <div
        className={cn(
          "flex min-w-0 flex-1 flex-col gap-4 max-[560px]:gap-3 px-4 py-5 rail:px-6",
          beside !== null && "min-h-[calc(100dvh+200px)]",
        )}
      >
        <PageHeader
          title="Events"
          description={<span className="max-[560px]:hidden">{`Every verified webhook, ${ORDER_WORDS[order ?? "received"]}.`}</span>}
          actions={
            <>
              <YesterdaysFailures filter={filter} onChange={setFilter} />
              <HistoryActions filter={filter} canRedeliver={canRedeliver} />
            </>
          }
        />
        <FilterBar filter={filter} onChange={setFilter} types={types} sources={sources} connections={connections} />
        {/* Its space is kept until its code is there. */}
        <div className={WIDER} style={{ minHeight: CHART_SPACE }}>
          <VolumeChart filter={filter} onChange={setFilter} />
        </div>
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
            order={order}
            onOrder={setOrder}
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

type FilterProps = { filter: EventFilter; onChange: (filter: EventFilter) => void };

/** One click to what failed yesterday, here or on the platform, and one back; what else was filtered by stays. */
function YesterdaysFailures({ filter, onChange }: FilterProps) {
  const choice = useTimeZoneChoice();
  const hydrated = useHydrated();
  const asked = { occurredFrom: dayStart(1, choice), occurredTo: dayStart(0, choice), anyFailure: true };
  const names = Object.keys(asked) as (keyof typeof asked)[];
  // The server doesn't know the reader's day.
  const shown = hydrated && names.every((name) => filter[name] === asked[name]);
  const show = () => onChange(compact({ ...filter, ...asked, state: undefined, period: undefined, from: undefined, to: undefined }));
  const leave = () => onChange(compact({ ...filter, occurredFrom: undefined, occurredTo: undefined, anyFailure: undefined }));
  useCommands([{ label: YESTERDAYS_FAILURES, run: show }]);
  return (
    <Button variant="ghost" aria-pressed={shown} onClick={shown ? leave : show}>
      {YESTERDAYS_FAILURES}
    </Button>
  );
}

/** The palette runs it by this name. */
const YESTERDAYS_FAILURES = "Yesterday's failures";

function clickedRow({ target, button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): string | undefined {
  if (button !== 0 || metaKey || ctrlKey || shiftKey || altKey || !(target instanceof Element)) return undefined;
  return target.closest("a[data-row-link]")?.closest<HTMLElement>("[data-event]")?.dataset.event;
}

const RedeliverDialog = lazyComponent(() => import("#components/records/redeliver-dialog").then((module) => module.RedeliverDialog));

function HistoryActions({ filter, canRedeliver }: { filter: EventFilter; canRedeliver: boolean }) {
  // Applying the whole log again is a rebuild, not a re-delivery.
  const reason = isEmptyFilter(filter) ? UNFILTERED : seeksNothing(filter) ? NOTHING_SOUGHT : undefined;
  const [set, setSet] = useState<EventFilter | null>(null);
  const { entries, dialog } = useExportEntries(filter);
  const ask = () => (reason === undefined ? setSet(filter) : undefined);
  return (
    <>
      <LinkButton href="/redeliveries" variant="ghost" icon={<History aria-hidden />} className={WIDER}>
        Re-deliveries
      </LinkButton>
      <DropdownMenu
        label="Export"
        trigger={
          <Button icon={<Download aria-hidden />} className={WIDER}>
            Export
          </Button>
        }
        entries={entries}
      />
      {canRedeliver ? (
        <Button
          icon={<RotateCw aria-hidden />}
          aria-disabled={reason !== undefined || undefined}
          title={reason}
          className={WIDER}
          onClick={ask}
        >
          Re-deliver filtered events
        </Button>
      ) : null}
      <DropdownMenu
        label="More actions"
        trigger={<Button aria-label="More actions" icon={<Ellipsis aria-hidden />} className="px-2 min-[560px]:hidden" />}
        entries={[
          { kind: "item", label: "Re-deliveries", href: "/redeliveries" },
          ...(canRedeliver && reason === undefined ? [{ kind: "item" as const, label: "Re-deliver filtered events", onSelect: ask }] : []),
          { kind: "line" },
          ...entries,
        ]}
      />
      {dialog}
      {set === null ? null : <RedeliverDialog set={{ filter: set }} onClose={() => setSet(null)} />}
    </>
  );
}

const ExportDialog = lazyComponent(() => import("./export-dialog.tsx").then((module) => module.ExportDialog));

/** On a phone they are in one menu, so that the list begins in sight. */
const WIDER = "max-[560px]:hidden";

const UNFILTERED = "Filter the events first, by type, state, time or text.";
const NOTHING_SOUGHT = "The search text has no letters or digits, so no event matches.";

function useExportEntries(filter: EventFilter): { entries: MenuEntry[]; dialog: ReactNode } {
  const save = useExport();
  const start = (format: "ndjson" | "csv") =>
    save.mutate({ filter, format }, { onError: (error) => toast.error("Couldn't start the export", { description: error.message }) });
  return {
    entries: [
      { kind: "label", label: "Export filtered events" },
      { kind: "item", label: "NDJSON", hint: "raw bodies, headers", onSelect: () => start("ndjson") },
      { kind: "item", label: "CSV", hint: "for spreadsheets", onSelect: () => start("csv") },
    ],
    dialog: save.data ? <ExportDialog id={save.data.id} onClose={save.reset} /> : null,
  };
}
