"use client";

import { useState } from "react";
import { Section } from "#components/ui/layout/section";
import { ConfirmDialog } from "#components/ui/overlay/confirm-dialog";
import { Button } from "#components/ui/primitives/button";
import { leaveWorkspace } from "#lib/client/queries/auth/members";
import { EndApiKeys } from "./end-api-keys.tsx";

/** `apiKeys`: the number that the user created. */
export function LeaveWorkspace({ workspaceName, apiKeys }: { workspaceName: string; apiKeys: number }) {
  const [endApiKeys, setEndApiKeys] = useState(false);
  return (
    <Section title="Leave workspace" description="You lose access to this workspace. Your account and other workspaces aren't affected.">
      <ConfirmDialog
        trigger={<Button className="self-start">Leave {workspaceName}</Button>}
        title={`Leave ${workspaceName}?`}
        description="You'll be signed out. To come back, you need a new invite."
        choice={<EndApiKeys own count={apiKeys} checked={endApiKeys} onChange={setEndApiKeys} />}
        onOpenChange={() => setEndApiKeys(false)}
        confirmLabel={`Leave ${workspaceName}`}
        danger
        onConfirm={async () => {
          await leaveWorkspace(endApiKeys);
          location.assign("/sign-in");
        }}
      />
    </Section>
  );
}
