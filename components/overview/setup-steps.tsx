"use client";

import { Send } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "#components/ui/button";
import { CopyButton } from "#components/ui/copy-button";
import { LinkButton } from "#components/ui/link-button";
import { Panel, PanelHeader } from "#components/ui/panel";
import { StateIcon } from "#components/ui/state-icon";
import { TextLink } from "#components/ui/text-link";
import { toast } from "#components/ui/toast";
import { useSendEvent } from "#lib/client/sandbox";
import type { Overview } from "#lib/contracts/overview";

type Props = {
  setup: Overview["setup"];
  webhookUrl: string | null;
  /** The sandbox is on and this person may use it. */
  canSendTest: boolean;
};

/** The three steps of setting up, seen until all are done. */
export function SetupSteps({ setup: { connected, firstEvent }, webhookUrl, canSendTest }: Props) {
  if (connected && firstEvent) return null;
  return (
    <Panel>
      <PanelHeader title="Set up Signalbox" hint={`${1 + Number(connected) + Number(firstEvent)} of 3 steps done`} />
      <ol>
        <StepRow done title="Create the owner" />
        <StepRow
          done={connected}
          title="Connect an account"
          action={
            connected ? undefined : (
              <LinkButton href="/connections" variant="primary" size="sm">
                Connect
              </LinkButton>
            )
          }
        >
          Approve the permissions on the platform; Signalbox keeps the access up.
        </StepRow>
        <StepRow done={firstEvent} title="Receive the first event" action={firstEvent || !canSendTest ? undefined : <SendTest />}>
          {firstEvent || webhookUrl === null ? null : <Receive webhookUrl={webhookUrl} />}
        </StepRow>
      </ol>
    </Panel>
  );
}

function StepRow({ done, title, action, children }: { done: boolean; title: string; action?: ReactNode; children?: ReactNode }) {
  return (
    <li className="flex flex-wrap items-start gap-x-3 gap-y-2 border-b border-line px-4 py-3 last:border-b-0">
      <StateIcon state={done ? "fine" : "neutral"} className="mt-0.5" />
      <div className="min-w-0 flex-1 basis-56">
        <p className={done ? "text-muted" : "font-medium"}>
          {title}
          <span className="sr-only">{done ? ": done" : ": to do"}</span>
        </p>
        {done || children === undefined ? null : <div className="text-muted">{children}</div>}
      </div>
      {action === undefined ? null : <div className="max-sm:ml-7">{action}</div>}
    </li>
  );
}

function Receive({ webhookUrl }: { webhookUrl: string }) {
  return (
    <>
      <p>
        Give the platform this address. Make the signing secret that both share under{" "}
        <TextLink href="/settings/sources">Sources and secrets</TextLink>.
      </p>
      <p className="mt-2 flex max-w-full items-center gap-1">
        <code className="min-w-0 truncate rounded-sm border border-line bg-sunken px-2 py-1 text-12 text-text">{webhookUrl}</code>
        <CopyButton value={webhookUrl} label="Copy the address" />
      </p>
      <p className="mt-2 flex items-center gap-1.5 text-working" role="status">
        <StateIcon state="working" className="size-3.5" /> Waiting for the first event…
      </p>
    </>
  );
}

function SendTest() {
  const send = useSendEvent();
  return (
    <Button
      size="sm"
      icon={<Send aria-hidden />}
      loading={send.isPending}
      onClick={() =>
        send.mutate(
          { type: "document.processed" },
          {
            onSuccess: () => toast.success("The sandbox sends a test event"),
            onError: (error) => toast.error("No test event was sent", { description: error.message }),
          },
        )
      }
    >
      Send a test event
    </Button>
  );
}
