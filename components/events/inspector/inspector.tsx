import { useQuery, useQueryClient } from "@tanstack/react-query";
import { X } from "lucide-react";
import { type ReactNode, type Ref, useEffect } from "react";
import { IconButton } from "#components/ui/primitives/icon-button";
import { type EventPages, eventQuery, refreshRows } from "#lib/client/queries/events";
import { KEYS } from "#lib/client/queries/keys";
import { visible } from "#lib/contracts/api/plain-text";
import type { EventDetail, EventSummary } from "#lib/contracts/events/events";
import { EventBadges, EventView } from "./event-view.tsx";

type InspectorProps = {
  id: string;
  canRedeliver: boolean;
  onClose: () => void;
  eventHref: (id: string) => string;
  tab: string | null;
  onTab: (tab: string) => void;
  ref: Ref<HTMLElement>;
};

export function Inspector({ id, canRedeliver, onClose, eventHref, tab, onTab, ref }: InspectorProps) {
  useSyncedRow(id);
  const row = useRow(id);
  const title = (event: EventDetail | undefined, actions: ReactNode) => (
    <InspectorHead event={event ?? row} actions={actions} onClose={onClose} />
  );
  return (
    <aside
      ref={ref}
      data-event-id={id}
      tabIndex={-1}
      aria-label="Selected event"
      className="sticky top-(--sticky-top) hidden h-[calc(100dvh-var(--sticky-top))] w-[min(600px,46%)] shrink-0 overflow-y-auto border-l border-line bg-surface focus-visible:-outline-offset-2 min-[1200px]:block"
    >
      <EventView id={id} canRedeliver={canRedeliver} inspector={{ title, eventHref, tab, onTab }} />
    </aside>
  );
}

function InspectorHead({ event, actions, onClose }: { event: EventSummary | undefined; actions: ReactNode; onClose: () => void }) {
  return (
    <div className="sticky top-0 z-20 flex min-h-12 items-center gap-2 border-b border-line bg-surface py-2 pr-2 pl-4">
      <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-2 gap-y-1">
        <h2 className="max-w-full truncate text-14 font-semibold" title={event && visible(event.title)}>
          {event ? visible(event.title) : "Event"}
        </h2>
        {event ? <EventBadges event={event} /> : null}
      </div>
      {actions}
      <IconButton size="sm" label="Close (Esc)" icon={<X />} onClick={onClose} />
    </div>
  );
}

/** Returns the event from a loaded list, so that its title and state show before the rest has loaded. */
function useRow(id: string): EventSummary | undefined {
  const lists = useQueryClient().getQueriesData<EventPages>({ queryKey: KEYS.eventList });
  return lists.map(([, data]) => rowIn(data, id)).find((row) => row !== undefined);
}

const rowIn = (data: EventPages | undefined, id: string) => data?.pages.flatMap((page) => page.data).find((event) => event.id === id);

/** Keeps the selected event's row in step with the inspector: a re-delivery changes both. */
function useSyncedRow(id: string) {
  const queries = useQueryClient();
  const { data: event } = useQuery(eventQuery(id));
  useEffect(() => {
    if (!event) return;
    queries.setQueriesData<EventPages>({ queryKey: KEYS.eventList }, (data) => {
      const row = rowIn(data, event.id);
      return data && row ? refreshRows(data, [rowOf(event, row)]).data : data;
    });
  }, [queries, event]);
}

/** Returns what a list has of an event: its page holds much more. */
const rowOf = (event: EventDetail, row: EventSummary): EventSummary =>
  Object.fromEntries(Object.keys(row).map((key) => [key, event[key as keyof EventSummary]])) as EventSummary;
