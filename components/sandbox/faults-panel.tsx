"use client";

import { toast } from "#components/ui/feedback/toast";
import { Panel, PanelBody, PanelHeader } from "#components/ui/layout/panel";
import { TextLink } from "#components/ui/layout/text-link";
import { ConfirmDialog } from "#components/ui/overlay/confirm-dialog";
import { Button } from "#components/ui/primitives/button";
import { useRevokeGrants, useSendEvent } from "#lib/client/queries/sandbox";
import { countWords } from "#lib/contracts/counts/format-count";
import type { SandboxFault } from "#lib/contracts/sandbox";
import { FAULT_LABELS } from "./sandbox-labels.tsx";

const FAULTS = Object.entries(FAULT_LABELS) as [SandboxFault, (typeof FAULT_LABELS)[SandboxFault]][];

export function FaultsPanel() {
  const sending = useSendEvent();
  function send(fault: SandboxFault) {
    const { label } = FAULT_LABELS[fault];
    sending.mutate(
      { type: "document.processed", fault },
      {
        onSuccess: ({ queued }) => toast.success(`${label}: sending ${countWords(queued, "webhook")}`),
        onError: (error) => toast.error(`${label}: couldn't send`, { description: error.message }),
      },
    );
  }
  return (
    <Panel>
      <PanelHeader title="Simulate faults" />
      <ul>
        {FAULTS.map(([fault, { label, expect }]) => (
          <li key={fault} className="flex items-center gap-3 border-b border-line px-4 py-2">
            <div className="min-w-0 flex-1">
              <p className="text-13">{label}</p>
              <p className="text-12 text-muted">{expect}</p>
            </div>
            <Button
              size="sm"
              aria-label={`Send ${label.toLowerCase()}`}
              loading={sending.isPending && sending.variables.fault === fault}
              onClick={() => send(fault)}
            >
              Send
            </Button>
          </li>
        ))}
      </ul>
      <PanelBody className="flex flex-col items-start gap-3">
        <p className="text-13 text-muted">
          The permission dialog can simulate faults too: <TextLink href="/connections">connect an account</TextLink> to try them.
        </p>
        <RevokeGrants />
      </PanelBody>
    </Panel>
  );
}

function RevokeGrants() {
  const revoking = useRevokeGrants();
  async function revoke() {
    const { revoked } = await revoking.mutateAsync(undefined);
    toast.success(`Revoked ${countWords(revoked, "grant")}`);
  }
  return (
    <ConfirmDialog
      trigger={<Button>Revoke all grants</Button>}
      title="Revoke all grants?"
      description="The sandbox revokes every permission it granted. Each connection has to be reconnected once its access token expires."
      confirmLabel="Revoke all grants"
      danger
      onConfirm={revoke}
    />
  );
}
