"use client";

import { FAULT_WORDS, webhookCount } from "#components/sandbox/sandbox-words";
import { Button } from "#components/ui/button";
import { ConfirmDialog } from "#components/ui/confirm-dialog";
import { Panel, PanelBody, PanelHeader } from "#components/ui/panel";
import { TextLink } from "#components/ui/text-link";
import { toast } from "#components/ui/toast";
import { useRevokeGrants, useSendEvent } from "#lib/client/sandbox";
import type { SandboxFault } from "#lib/contracts/sandbox";

const FAULTS = Object.entries(FAULT_WORDS) as [SandboxFault, (typeof FAULT_WORDS)[SandboxFault]][];

/** Lets the platform do what platforms do on bad days, with what to expect of Signalbox. */
export function MisbehavePanel() {
  const sending = useSendEvent();
  function send(fault: SandboxFault) {
    const { label } = FAULT_WORDS[fault];
    sending.mutate(
      { type: "document.processed", fault },
      {
        onSuccess: ({ queued }) => toast.success(`${label}: sending ${webhookCount(queued)}`),
        onError: (error) => toast.error(`${label}: nothing was sent`, { description: error.message }),
      },
    );
  }
  return (
    <Panel>
      <PanelHeader title="Misbehave" />
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
          A permission dialog misbehaves too: <TextLink href="/connections">connect an account</TextLink> and open{" "}
          <em>Misbehave instead</em> there.
        </p>
        <TakeBackGrants />
      </PanelBody>
    </Panel>
  );
}

function TakeBackGrants() {
  const revoking = useRevokeGrants();
  async function revoke() {
    const { revoked } = await revoking.mutateAsync(undefined);
    toast.success(revoked === 1 ? "Took back 1 grant" : `Took back ${revoked} grants`);
  }
  return (
    <ConfirmDialog
      trigger={<Button>Take back all grants</Button>}
      title="Take back all grants?"
      description="The platform forgets every permission that it gave. Each connection to it has to be made again once its access token runs out."
      confirmLabel="Take back all grants"
      danger
      onConfirm={revoke}
    />
  );
}
