import { Link2 } from "lucide-react";
import { ConnectionStateBadge } from "#components/records/badges/connection-state-badge";
import { NothingYet } from "#components/ui/layout/empty-state";
import { Section } from "#components/ui/layout/section";
import { Cell, HeadCell, Row, RowLink, Table, TableBody, TableHead } from "#components/ui/layout/table";
import { LinkButton } from "#components/ui/primitives/link-button";
import { RelativeTime } from "#components/ui/time/relative-time";
import { worstFirst } from "#lib/client/format/worst-first";
import type { Connection } from "#lib/contracts/connections";
import { formatNumber } from "#lib/contracts/counts/format-count";

const HEALTH: readonly (readonly [string, Connection["state"][]])[] = [
  ["healthy", ["connected"]],
  ["expiring", ["expiring"]],
  ["retrying", ["retrying"]],
  ["need reconnecting", ["needs_reauthorization"]],
  ["not connected", ["pending", "disconnected"]],
];

function healthWords(connections: Connection[]): string {
  const parts = HEALTH.map(([word, states]) => [connections.filter(({ state }) => states.includes(state)).length, word] as const);
  return parts
    .filter(([count]) => count > 0)
    .map(([count, word]) => `${formatNumber(count)} ${word}`)
    .join(", ");
}

export function ConnectionRows({ connections }: { connections: Connection[] }) {
  return (
    <Section title="Connections" {...(connections.length > 0 && { description: healthWords(connections) })} className="min-w-0">
      {connections.length === 0 ? (
        <NothingYet
          icon={<Link2 aria-hidden />}
          title="No connections yet"
          actions={<LinkButton href="/connections">Connect an account</LinkButton>}
        >
          Signalbox renews access to each account automatically.
        </NothingYet>
      ) : (
        <Table label="Connections">
          <TableHead>
            <HeadCell>State</HeadCell>
            <HeadCell>Name</HeadCell>
            <HeadCell align="right">Last verified</HeadCell>
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
