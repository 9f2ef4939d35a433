"use client";

import { useQuery } from "@tanstack/react-query";
import { Plus, Send } from "lucide-react";
import { useState } from "react";
import { StateBadge } from "#components/records/state-badge";
import { useCommands } from "#components/shell/palette/commands";
import { useLocalCommands } from "#components/shell/use-local-commands";
import { CodeBlock } from "#components/ui/code-block";
import { ErrorState, LoadingState, NothingYet } from "#components/ui/layout/content-states";
import { PageHeader } from "#components/ui/layout/page-header";
import { Section } from "#components/ui/layout/section";
import { Cell, HeadCell, Row, RowLink, StateHead, Table, TableBody, TableHead } from "#components/ui/layout/table";
import { overlay } from "#components/ui/overlay/overlay";
import { Button } from "#components/ui/primitives/button";
import { RelativeTime } from "#components/ui/relative-time";
import { destinationsQuery, listenersQuery } from "#lib/client/queries/destinations";
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
  const { data, error, isPending, refetch } = useQuery(destinationsQuery);
  if (isPending) return <LoadingState what="destinations" rows={3} />;
  if (!data) return <ErrorState what="the destinations" error={error} onRetry={() => void refetch()} />;
  if (data.length === 0)
    return (
      <NothingYet
        icon={<Send aria-hidden />}
        title="No destinations yet"
        actions={canManage ? <CreateDestinationDialog types={types} sources={sources} /> : undefined}
      >
        {canManage
          ? "Add your application's URL. Events received from then on are sent there, signed, with retries."
          : "Ask an owner, admin or developer to add one."}
      </NothingYet>
    );
  return (
    <Table label="Destinations" wide>
      <TableHead>
        <StateHead />
        <HeadCell>Name</HeadCell>
        <HeadCell>Events</HeadCell>
        <HeadCell align="right">Success, 24 h</HeadCell>
        <HeadCell align="right">p95</HeadCell>
        <HeadCell align="right">Pending</HeadCell>
        <HeadCell align="right">Exhausted</HeadCell>
        <HeadCell>Last failure</HeadCell>
      </TableHead>
      <TableBody>
        {data.map((destination) => (
          <DestinationRow key={destination.id} destination={destination} />
        ))}
      </TableBody>
    </Table>
  );
}

function DestinationRow({ destination }: { destination: Destination }) {
  const { id, name, url, state, p95Ms, pending, exhausted, lastFailure } = destination;
  const rate = successRate(destination);
  return (
    <Row>
      <Cell>
        <DestinationStateBadge state={state} />
      </Cell>
      <Cell className="w-1/3 min-w-40 max-w-0 truncate" title={url}>
        <RowLink href={`/destinations/${encodeURIComponent(id)}`}>{name}</RowLink>
        <span className="ml-2 text-12 text-faint">{new URL(url).host}</span>
      </Cell>
      <Cell className="w-1/3 min-w-32 max-w-0 truncate text-muted" title={selectionWords(destination)}>
        {selectionWords(destination)}
      </Cell>
      <Cell align="right" className="tabular-nums">
        {rate ?? <span className="text-faint">No attempts</span>}
      </Cell>
      <Cell align="right" className="tabular-nums text-muted">
        {p95Ms === null ? "–" : `${formatNumber(p95Ms)} ms`}
      </Cell>
      <Cell align="right" className="tabular-nums">
        {pendingWords(pending)}
        {state === "active" || pending === 0 ? null : <span className="text-muted"> {openWord(state).toLowerCase()}</span>}
      </Cell>
      <Cell align="right" className={exhausted > 0 ? "tabular-nums text-failed" : "tabular-nums text-muted"}>
        {exhaustedWords(exhausted)}
      </Cell>
      <Cell className="w-1/3 min-w-40 max-w-0 truncate text-muted" title={lastFailure?.detail}>
        {lastFailure === null ? (
          "None"
        ) : (
          <>
            {lastFailure.detail}, <RelativeTime at={lastFailure.at} />
          </>
        )}
      </Cell>
    </Row>
  );
}

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
        <Button variant="primary" icon={<Plus aria-hidden />}>
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
        <Table label="Connected listeners" wide>
          <TableHead>
            <StateHead />
            <HeadCell>Name</HeadCell>
            <HeadCell>Sends to</HeadCell>
            <HeadCell>Events</HeadCell>
            <HeadCell>Opened by</HeadCell>
            <HeadCell align="right">Connected</HeadCell>
          </TableHead>
          <TableBody>
            {listeners.map((listener) => (
              <ListenerRow key={listener.id} listener={listener} />
            ))}
          </TableBody>
        </Table>
      ) : (
        <p className="text-13 text-muted">No listener is connected. To receive events on your machine:</p>
      )}
      {commands ? <CodeBlock title="Listen on your machine" label="command" code={commands.listen} /> : null}
    </Section>
  );
}

function ListenerRow({ listener: { name, url, types, source, openedBy, connectedAt } }: { listener: Listener }) {
  const events = [types.length === 0 ? "All types" : types.join(", "), ...(source === null ? [] : [`from ${source}`])].join(" · ");
  return (
    <Row>
      <Cell>
        <StateBadge state="fine">Connected</StateBadge>
      </Cell>
      <Cell className="w-1/4 min-w-32 max-w-0 truncate" title={name}>
        {name}
      </Cell>
      <Cell className="w-1/4 min-w-40 max-w-0 truncate font-mono text-12" title={url}>
        {url === "" ? "A program" : url}
      </Cell>
      <Cell className="w-1/4 min-w-32 max-w-0 truncate text-muted" title={events}>
        {events}
      </Cell>
      <Cell className="w-1/4 min-w-32 max-w-0 truncate text-muted" title={openedBy}>
        {openedBy}
      </Cell>
      <Cell align="right" className="text-muted">
        <RelativeTime at={connectedAt} />
      </Cell>
    </Row>
  );
}
