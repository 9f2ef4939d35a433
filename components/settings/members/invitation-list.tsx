"use client";

import { toast } from "#components/ui/feedback/toast";
import { ErrorState, LoadingState } from "#components/ui/layout/empty-state";
import { Section } from "#components/ui/layout/section";
import { Cell, HeadCell, Row, Table, TableBody, TableHead } from "#components/ui/layout/table";
import { ConfirmDialog } from "#components/ui/overlay/confirm-dialog";
import { Badge } from "#components/ui/primitives/badge";
import { Button } from "#components/ui/primitives/button";
import { RelativeTime } from "#components/ui/time/relative-time";
import { useInvitations, useRevokeInvitation } from "#lib/client/queries/auth/members";
import type { Invitation } from "#lib/contracts/auth/invitations";

export function InvitationList() {
  const { data, error, isPending, refetch } = useInvitations();
  if (data?.length === 0) return null;
  return (
    <Section title="Pending invites" description="Invite links that haven't been used yet.">
      {isPending ? (
        <LoadingState what="pending invites" rows={1} />
      ) : !data ? (
        <ErrorState what="pending invites" error={error} onRetry={() => void refetch()} />
      ) : (
        <Table label="Pending invites">
          <TableHead>
            <HeadCell>For</HeadCell>
            <HeadCell>Role</HeadCell>
            <HeadCell>Created by</HeadCell>
            <HeadCell>Expires</HeadCell>
            <HeadCell align="right">
              <span className="sr-only">Actions</span>
            </HeadCell>
          </TableHead>
          <TableBody>
            {data.map((invitation) => (
              <InvitationRow key={invitation.id} invitation={invitation} />
            ))}
          </TableBody>
        </Table>
      )}
    </Section>
  );
}

function InvitationRow({ invitation: { id, email, role, createdBy, expiresAt } }: { invitation: Invitation }) {
  const revoke = useRevokeInvitation();
  const whom = email ?? "anyone with the link";
  return (
    <Row>
      <Cell className="w-full min-w-44 max-w-0 truncate font-medium" title={email ?? undefined}>
        {email ?? "Anyone with the link"}
      </Cell>
      <Cell>
        <Badge>{role}</Badge>
      </Cell>
      <Cell className="text-muted">{createdBy}</Cell>
      <Cell className="text-muted">
        <RelativeTime at={expiresAt} />
      </Cell>
      <Cell align="right">
        <ConfirmDialog
          trigger={
            <Button size="sm" variant="ghost" aria-label={`Revoke invite for ${whom}`}>
              Revoke
            </Button>
          }
          title="Revoke this invite?"
          description={`The link for ${whom} stops working immediately.`}
          confirmLabel="Revoke invite"
          danger
          onConfirm={async () => {
            await revoke.mutateAsync(id);
            toast.success("Invite revoked");
          }}
        />
      </Cell>
    </Row>
  );
}
