"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Inbox, Send } from "lucide-react";
import { Button } from "#components/ui/button";
import { CopyButton } from "#components/ui/copy-button";
import { NothingYet } from "#components/ui/empty-state";
import { toast } from "#components/ui/toast";
import { apiSend } from "#lib/client/fetcher";
import { sandboxSent } from "#lib/contracts/sandbox";

type FirstEventProps = { webhookUrl: string | null; canSendTest: boolean };

/** No event yet: where the platform sends them, and how to see one now. */
export function FirstEvent({ webhookUrl, canSendTest }: FirstEventProps) {
  return (
    <NothingYet icon={<Inbox aria-hidden />} title="No events yet" {...(canSendTest ? { actions: <SendTestEvent /> } : {})}>
      <p>Give the platform this address for its webhooks. The first event shows here by itself.</p>
      {webhookUrl === null ? null : (
        <p className="mt-3 flex items-center justify-center gap-1">
          <code className="min-w-0 break-all rounded-sm border border-line bg-sunken px-2 py-1 text-12 text-text">{webhookUrl}</code>
          <CopyButton value={webhookUrl} label="Copy the address" />
        </p>
      )}
    </NothingYet>
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
