"use client";

import { Badge } from "#components/ui/badge";
import { ErrorState, LoadingState } from "#components/ui/empty-state";
import { RelativeTime } from "#components/ui/relative-time";
import { Section } from "#components/ui/section";
import { Cell, HeadCell, Row, Table, TableBody, TableHead } from "#components/ui/table";
import { useMembers } from "#lib/client/settings";

/** The people of the workspace and what they may do. */
export function MembersPage() {
  const { data, error, isPending, refetch } = useMembers();
  return (
    <Section title="Members" description="The people of this workspace and their roles.">
      {isPending ? (
        <LoadingState what="the members" rows={3} />
      ) : !data ? (
        <ErrorState what="the members" error={error} onRetry={() => void refetch()} />
      ) : (
        <Table label="Members">
          <TableHead>
            <HeadCell>Member</HeadCell>
            <HeadCell>Role</HeadCell>
            <HeadCell align="right">Since</HeadCell>
          </TableHead>
          <TableBody>
            {data.map((member) => (
              <Row key={member.id}>
                <Cell className="w-full max-w-0 truncate">
                  <span className="font-medium">{member.name ?? member.email}</span>
                  {member.name === null ? null : <span className="ml-2 text-muted">{member.email}</span>}
                </Cell>
                <Cell>
                  <Badge tone={member.role === "owner" ? "accent" : "neutral"}>{member.role}</Badge>
                </Cell>
                <Cell align="right" className="text-muted">
                  <RelativeTime at={member.since} />
                </Cell>
              </Row>
            ))}
          </TableBody>
        </Table>
      )}
    </Section>
  );
}
