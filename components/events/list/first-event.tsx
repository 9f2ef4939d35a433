import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Inbox, Send } from "lucide-react";
import { useLive } from "#components/shell/live/live-provider";
import { useLocalCommands } from "#components/shell/use-local-commands";
import { CopyButton } from "#components/ui/code-block";
import { toast } from "#components/ui/feedback/toast";
import { NothingYet } from "#components/ui/layout/content-states";
import { StateIcon } from "#components/ui/primitives/badge";
import { Button } from "#components/ui/primitives/button";
import { TextLink } from "#components/ui/primitives/page-link";
import { RelativeTime } from "#components/ui/relative-time";
import { call } from "#lib/client/queries/api";
import { invalidate, KEYS } from "#lib/client/queries/keys";
import { useSources } from "#lib/client/queries/settings";
import type { Source } from "#lib/contracts/sources/sources";

type FirstEventProps = { webhookUrl: string | null; canSendTest: boolean };

export function FirstEvent({ webhookUrl, canSendTest }: FirstEventProps) {
  const { data: sources } = useSources();
  return (
    <NothingYet icon={<Inbox aria-hidden />} title="No events yet" {...(canSendTest ? { actions: <SendTestEvent /> } : {})}>
      <p>Set this as the webhook URL on the platform. The first event will appear here automatically.</p>
      {webhookUrl === null ? null : (
        <p className="mt-3 flex items-center justify-center gap-1">
          <code className="min-w-0 break-all rounded-sm border border-line bg-sunken px-2 py-1 text-12 text-text">{webhookUrl}</code>
          <CopyButton value={webhookUrl} label="Copy URL" />
        </p>
      )}
      <ListenLocally />
      {sources?.[0] ? <SecretStatus source={sources[0]} /> : null}
      <Waiting />
    </NothingYet>
  );
}

function ListenLocally() {
  const command = useLocalCommands()?.listen;
  if (!command) return null;
  return (
    <p className="mt-3 flex flex-wrap items-center justify-center gap-1">
      To receive events on your own machine, run
      <code className="min-w-0 break-all rounded-sm border border-line bg-sunken px-2 py-1 text-12 text-text">{command}</code>
      <CopyButton value={command} label="Copy command" />
    </p>
  );
}

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
        <span>No signing secret: every webhook will be rejected.</span>
      )}
      <TextLink href="/settings/sources">Sources and secrets</TextLink>
    </p>
  );
}

function Waiting() {
  const { status } = useLive();
  const words = status === "paused" ? "Live feed paused. Press l to resume." : "Waiting for the first event…";
  return (
    <p role="status" className="mt-3 flex items-center justify-center gap-1.5">
      <StateIcon state={status === "paused" ? "attention" : "working"} className="size-3.5" />
      {status === "reconnecting" ? "The connection to Signalbox was lost. Retrying." : words}
    </p>
  );
}

function SendTestEvent() {
  const queries = useQueryClient();
  const send = useMutation({
    mutationFn: () => call("POST /sandbox/api/events", { body: { type: "document.processed" } }),
    onSuccess: () => {
      toast.success("The sandbox is sending a test event", { description: "It will appear here in a moment." });
      setTimeout(() => void invalidate(queries, KEYS.events), 1500);
    },
    onError: (error) => toast.error("Couldn't send a test event", { description: error.message }),
  });
  return (
    <Button variant="primary" icon={<Send aria-hidden />} loading={send.isPending} onClick={() => send.mutate()}>
      Send a test event
    </Button>
  );
}
