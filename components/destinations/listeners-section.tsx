"use client";

import { useQuery } from "@tanstack/react-query";
import { StateBadge } from "#components/records/badges/state-badge";
import { useLocalCommands } from "#components/shell/use-local-commands";
import { CodeBlock } from "#components/ui/json/code-block";
import { Section } from "#components/ui/layout/section";
import { Cell, HeadCell, Row, Table, TableBody, TableHead } from "#components/ui/layout/table";
import { RelativeTime } from "#components/ui/time/relative-time";
import { listenersQuery } from "#lib/client/queries/forwarding/listeners";
import type { Listener } from "#lib/contracts/events/listeners";

export function ListenersSection() {
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
            <HeadCell>State</HeadCell>
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
