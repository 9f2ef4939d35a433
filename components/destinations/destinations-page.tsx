"use client";

import { useQuery } from "@tanstack/react-query";
import { Plus, Send } from "lucide-react";
import { useState } from "react";
import { useCommands } from "#components/shell/palette/commands";
import { useLocalCommands } from "#components/shell/use-local-commands";
import { CodeBlock } from "#components/ui/code-block";
import { NothingYet, withFallback } from "#components/ui/layout/content-states";
import { type Column, DataTable, numberColumn, STATE, textColumn, timeColumn } from "#components/ui/layout/data-table";
import { PageHeader } from "#components/ui/layout/page-header";
import { Section } from "#components/ui/layout/section";
import { RowLink } from "#components/ui/layout/table";
import { overlay } from "#components/ui/overlay/overlay";
import { StateBadge } from "#components/ui/primitives/badge";
import { Button } from "#components/ui/primitives/button";
import { RelativeTime } from "#components/ui/relative-time";
import { destinationsQuery, listenersQuery } from "#lib/client/queries/destinations";
import { visible } from "#lib/contracts/api/plain-text";
import { typesWords } from "#lib/contracts/events/event-filters";
import type { Listener } from "#lib/contracts/events/listeners";
import { formatNumber } from "#lib/contracts/format-count";
import type { Destination } from "#lib/contracts/forwarding/destinations";
import { DestinationStateBadge, exhaustedWords, openWord, pendingWords, selectionWords, successRate } from "./destination-labels.tsx";

type Options = { canManage: boolean; types: string[]; sources: string[] };

export function DestinationsPage(options: Options) {
  return (
    <div className="flex flex-col gap-6">
      <PageHeader
        title="Destinations"
        description="Your own applications that Signalbox sends events to. Each event is delivered at least once."
        actions={options.canManage ? <CreateDestinationDialog types={options.types} sources={options.sources} /> : undefined}
      />
      <Destinations {...options} />
      <ListenersSection />
    </div>
  );
}

function Destinations({ canManage, types, sources }: Options) {
  const { data, fallback } = withFallback(useQuery(destinationsQuery), { what: "the destinations", loading: "destinations", rows: 3 });
  if (!data) return fallback;
  if (data.length === 0)
    return (
      <NothingYet
        icon={<Send />}
        title="No destinations yet"
        actions={canManage ? <CreateDestinationDialog types={types} sources={sources} /> : undefined}
      >
        {canManage
          ? "Add your application's URL. Events received from then on are sent there, signed, with retries."
          : "Ask an owner, admin or developer to add one."}
      </NothingYet>
    );
  return <DataTable label="Destinations" wide columns={DESTINATION_COLUMNS} rows={data} keyOf={({ id }) => id} />;
}

const DESTINATION_COLUMNS: Column<Destination>[] = [
  { ...STATE, cell: ({ state }) => <DestinationStateBadge state={state} /> },
  {
    head: "Name",
    look: "w-1/3 min-w-40 max-w-0 max-rail:min-w-56 max-rail:py-1.5",
    title: ({ url }) => url,
    cell: (destination) => (
      <>
        <p className="truncate">
          <RowLink href={`/destinations/${encodeURIComponent(destination.id)}`}>{destination.name}</RowLink>
          <span className="ml-2 text-12 text-faint">{new URL(destination.url).host}</span>
        </p>
        <p className="wrap-anywhere hidden whitespace-normal text-12 text-muted max-rail:block">{selectionWords(destination)}</p>
      </>
    ),
  },
  // On a phone it stands below the name.
  { ...textColumn("Events", selectionWords, "w-1/3 min-w-32 text-muted"), className: "max-rail:hidden" },
  numberColumn("Success, 24 h", (destination) => successRate(destination) ?? <span className="text-faint">No attempts</span>),
  numberColumn("p95", ({ p95Ms }) => (p95Ms === null ? "–" : `${formatNumber(p95Ms)} ms`), "text-muted"),
  numberColumn("Pending", ({ state, pending }) => (
    <>
      {pendingWords(pending)}
      {state === "active" || pending === 0 ? null : <span className="text-muted"> {openWord(state).toLowerCase()}</span>}
    </>
  )),
  {
    ...numberColumn("Exhausted", ({ exhausted }) => exhaustedWords(exhausted)),
    look: ({ exhausted }) => `tabular-nums ${exhausted > 0 ? "text-failed" : "text-muted"}`,
  },
  {
    head: "Last failure",
    look: "w-1/3 min-w-48 max-w-0 text-muted",
    title: ({ lastFailure }) => lastFailure?.detail,
    // The words give way: what stands in the row's end is when.
    cell: ({ lastFailure }) =>
      lastFailure === null ? (
        "None"
      ) : (
        <span className="flex gap-1">
          <span className="min-w-0 truncate">{visible(lastFailure.detail)},</span>
          <RelativeTime at={lastFailure.at} className="shrink-0" />
        </span>
      ),
  },
];

type FormOptions = { types: string[]; sources: string[] };

const Window = overlay<FormOptions>("dialog", () =>
  import("./create-destination-window.tsx").then((module) => module.CreateDestinationWindow),
);

/** Loads the form with the window, to keep it out of the page's first load. */
function CreateDestinationDialog(options: FormOptions) {
  const [open, setOpen] = useState(false);
  useCommands([{ label: "Create destination", run: () => setOpen(true) }]);
  return (
    <Window
      {...options}
      open={open}
      onOpenChange={setOpen}
      trigger={
        <Button variant="primary" icon={<Plus />}>
          Create destination
        </Button>
      }
    />
  );
}

function ListenersSection() {
  const { data: listeners = [] } = useQuery(listenersQuery);
  const commands = useLocalCommands();
  return (
    <Section
      title="Listeners"
      description="Developers' machines that receive events while signalbox listen is connected. Nothing is stored for them or sent again."
    >
      {listeners.length > 0 ? (
        <DataTable label="Connected listeners" wide columns={LISTENER_COLUMNS} rows={listeners} keyOf={({ id }) => id} />
      ) : (
        <p className="text-13 text-muted">No listener is connected. To receive events on your machine:</p>
      )}
      {commands ? <CodeBlock title="Listen on your machine" label="command" code={commands.listen} /> : null}
    </Section>
  );
}

const LISTENER_COLUMNS: Column<Listener>[] = [
  { ...STATE, cell: () => <StateBadge state="fine">Connected</StateBadge> },
  textColumn("Name", ({ name }) => name, "w-1/4 min-w-32"),
  {
    ...textColumn("Sends to", ({ url }) => url, "w-1/4 min-w-40 font-mono text-12"),
    cell: ({ url }) => (url === "" ? "A program" : url),
  },
  textColumn(
    "Events",
    ({ types, source }) => [typesWords(types), ...(source === null ? [] : [`from ${source}`])].join(" · "),
    "w-1/4 min-w-32 text-muted",
  ),
  textColumn("Opened by", ({ openedBy }) => openedBy, "w-1/4 min-w-32 text-muted"),
  timeColumn("Connected", ({ connectedAt }) => connectedAt),
];
