"use client";

import { Button } from "#components/ui/button";
import { ConfirmDialog } from "#components/ui/confirm-dialog";
import { Section } from "#components/ui/section";
import { leaveWorkspace } from "#lib/client/members";

/** The way out of a workspace, for oneself. */
export function LeaveWorkspace({ workspaceName }: { workspaceName: string }) {
  return (
    <Section title="Leave" description="You lose access to this workspace. The account and your other workspaces stay.">
      <ConfirmDialog
        trigger={<Button className="self-start">Leave {workspaceName}</Button>}
        title={`Leave ${workspaceName}?`}
        description="You are signed out. Coming back needs a new invitation."
        confirmLabel={`Leave ${workspaceName}`}
        danger
        onConfirm={async () => {
          await leaveWorkspace();
          location.assign("/sign-in");
        }}
      />
    </Section>
  );
}
