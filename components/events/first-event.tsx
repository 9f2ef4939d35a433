"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Inbox, Send } from "lucide-react";
import { useLive } from "#components/shell/live-provider";
import { Button } from "#components/ui/button";
import { CopyButton } from "#components/ui/copy-button";
import { NothingYet } from "#components/ui/empty-state";
import { RelativeTime } from "#components/ui/relative-time";
import { StateIcon } from "#components/ui/state-icon";
import { TextLink } from "#components/ui/text-link";
import { toast } from "#components/ui/toast";
import { apiSend } from "#lib/client/fetcher";
import { useSources } from "#lib/client/settings";
import { sandboxSent } from "#lib/contracts/sandbox";
import type { Source } from "#lib/contracts/settings";

type FirstEventProps = { webhookUrl: string | null; canSendTest: boolean };

/** No event yet: where the platform sends them, whether their signature can be verified, and how to see one now. */
export function FirstEvent({ webhookUrl, canSendTest }: FirstEventProps) {
  const { data: sources } = useSources();
  return (
    <NothingYet icon={<Inbox aria-hidden />} title="No events yet" {...(canSendTest ? { actions: <SendTestEvent /> } : {})}>
      <p>Give the platform this address for its webhooks. The first event shows here by itself.</p>
      {webhookUrl === null ? null : (
        <p className="mt-3 flex items-center justify-center gap-1">
          <code className="min-w-0 break-all rounded-sm border border-line bg-sunken px-2 py-1 text-12 text-text">{webhookUrl}</code>
          <CopyButton value={webhookUrl} label="Copy the address" />
        </p>
      )}
      {sources?.[0] ? <SecretStatus source={sources[0]} /> : null}
      <Waiting />
    </NothingYet>
  );
}

/** Whether the source can verify anything at all. */
function SecretStatus({ source }: { source: Source }) {
  const active = source.secrets.find(({ validUntil }) => validUntil === null);
  return (
    <p className="mt-3 flex flex-wrap items-center justify-center gap-x-1.5">
      <StateIcon state={active ? "fine" : "failed"} className="size-3.5" />
      {active ? (
        <span>
          Signing secret set <RelativeTime at={active.createdAt} />.
        </span>
      ) : (
        <span>No signing secret: every webhook is refused.</span>
      )}
      <TextLink href="/settings/sources">Sources and secrets</TextLink>
    </p>
  );
}

/** Says that the page is listening, and when it is not. */
function Waiting() {
  const { status } = useLive();
  const words = status === "paused" ? "The live feed is paused: press l to go on." : "Waiting for the first event…";
  return (
    <p role="status" className="mt-3 flex items-center justify-center gap-1.5">
      <StateIcon state={status === "paused" ? "attention" : "working"} className="size-3.5" />
      {status === "reconnecting" ? "The line to Signalbox broke. Trying again." : words}
    </p>
  );
}

/** Asks the sandbox platform for one event: it comes by the same door as a real one. */
function SendTestEvent() {
  const queries = useQueryClient();
  const send = useMutation({
    mutationFn: () => apiSend(sandboxSent, "POST", "/sandbox/api/events", { type: "document.processed" }),
    onSuccess: () => {
      toast.success("Asked the sandbox for a test event", { description: "It is on its way." });
      setTimeout(() => void queries.invalidateQueries({ queryKey: ["events"] }), 1500);
    },
    onError: (error) => toast.error("Could not send a test event", { description: error.message }),
  });
  return (
    <Button variant="primary" icon={<Send aria-hidden />} loading={send.isPending} onClick={() => send.mutate()}>
      Send a test event
    </Button>
  );
}
