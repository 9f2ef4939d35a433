"use client";

import { Badge } from "#components/ui/badge";
import { Button } from "#components/ui/button";
import { ConfirmDialog } from "#components/ui/confirm-dialog";
import { ErrorState, LoadingState } from "#components/ui/empty-state";
import { RelativeTime } from "#components/ui/relative-time";
import { Section } from "#components/ui/section";
import { Cell, HeadCell, Row, Table, TableBody, TableHead } from "#components/ui/table";
import { toast } from "#components/ui/toast";
import { useInvitations, useRevokeInvitation } from "#lib/client/members";
import type { Invitation } from "#lib/contracts/invitations";

/** Links that were made and not used yet. */
export function InvitationList() {
  const { data, error, isPending, refetch } = useInvitations();
  if (data?.length === 0) return null;
  return (
    <Section title="Open invitations" description="Links that nobody has used yet.">
      {isPending ? (
        <LoadingState what="the invitations" rows={1} />
      ) : !data ? (
        <ErrorState what="the invitations" error={error} onRetry={() => void refetch()} />
      ) : (
        <Table label="Open invitations">
          <TableHead>
            <HeadCell>For</HeadCell>
            <HeadCell>Role</HeadCell>
            <HeadCell>Made by</HeadCell>
            <HeadCell>Ends</HeadCell>
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
  const whom = email ?? "whoever has the link";
  return (
    <Row>
      <Cell className="w-full min-w-44 max-w-0 truncate font-medium" title={email ?? undefined}>
        {email ?? "Whoever has the link"}
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
            <Button size="sm" variant="ghost" aria-label={`Take back the invitation for ${whom}`}>
              Take back
            </Button>
          }
          title="Take the invitation back?"
          description={`The link for ${whom} is worth nothing from then on.`}
          confirmLabel="Take it back"
          danger
          onConfirm={async () => {
            await revoke.mutateAsync(id);
            toast.success("The invitation is taken back");
          }}
        />
      </Cell>
    </Row>
  );
}
