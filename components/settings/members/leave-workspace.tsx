"use client";

import { Section } from "#components/ui/layout/section";
import { ConfirmDialog } from "#components/ui/overlay/confirm-dialog";
import { Button } from "#components/ui/primitives/button";
import { leaveWorkspace } from "#lib/client/queries/auth/members";

/** Lets users leave the workspace. */
export function LeaveWorkspace({ workspaceName }: { workspaceName: string }) {
  return (
    <Section title="Leave workspace" description="You lose access to this workspace. Your account and other workspaces aren't affected.">
      <ConfirmDialog
        trigger={<Button className="self-start">Leave {workspaceName}</Button>}
        title={`Leave ${workspaceName}?`}
        description="You'll be signed out. To come back, you need a new invite."
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
