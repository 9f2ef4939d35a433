import { Link2 } from "lucide-react";
import { ConnectionStateBadge } from "#components/ui/connection-state-badge";
import { NothingYet } from "#components/ui/empty-state";
import { LinkButton } from "#components/ui/link-button";
import { RelativeTime } from "#components/ui/relative-time";
import { Section } from "#components/ui/section";
import { Cell, HeadCell, Row, RowLink, Table, TableBody, TableHead } from "#components/ui/table";
import { worstFirst } from "#lib/client/connections";
import type { Connection } from "#lib/contracts/connections";

const HEALTH: readonly (readonly [string, Connection["state"][]])[] = [
  ["healthy", ["connected"]],
  ["running out", ["expiring"]],
  ["retrying", ["retrying"]],
  ["to be reconnected", ["needs_reauthorization"]],
  ["not connected", ["pending", "disconnected"]],
];

/** How many are in which health: "2 healthy, 1 retrying". */
function healthWords(connections: Connection[]): string {
  const parts = HEALTH.map(([word, states]) => [connections.filter(({ state }) => states.includes(state)).length, word] as const);
  return parts
    .filter(([count]) => count > 0)
    .map(([count, word]) => `${count} ${word}`)
    .join(", ");
}

/** The connections, a row each. */
export function ConnectionRows({ connections }: { connections: Connection[] }) {
  return (
    <Section title="Connections" {...(connections.length > 0 && { description: healthWords(connections) })} className="min-w-0">
      {connections.length === 0 ? (
        <NothingYet
          icon={<Link2 aria-hidden />}
          title="Nothing is connected yet"
          actions={<LinkButton href="/connections">Connect an account</LinkButton>}
        >
          Signalbox keeps the access of each account up by itself.
        </NothingYet>
      ) : (
        <Table label="Connections">
          <TableHead>
            <HeadCell>State</HeadCell>
            <HeadCell>Name</HeadCell>
            <HeadCell align="right">Last proven</HeadCell>
          </TableHead>
          <TableBody>
            {worstFirst(connections).map(({ id, name, state, lastProvenAt }) => (
              <Row key={id}>
                <Cell>
                  <ConnectionStateBadge state={state} />
                </Cell>
                <Cell className="w-full max-w-0 truncate">
                  <RowLink href={`/connections/${id}`}>{name}</RowLink>
                </Cell>
                <Cell align="right" className="text-muted">
                  {lastProvenAt === null ? "Never" : <RelativeTime at={lastProvenAt} />}
                </Cell>
              </Row>
            ))}
          </TableBody>
        </Table>
      )}
    </Section>
  );
}
