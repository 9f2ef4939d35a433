"use client";

import { useQuery } from "@tanstack/react-query";
import { CopyButton } from "#components/ui/json/copy-button";
import { ErrorState, LoadingState } from "#components/ui/layout/empty-state";
import { Panel, PanelBody, PanelHeader } from "#components/ui/layout/panel";
import { receivingAppQuery } from "#lib/client/queries/forwarding/receiving-app";
import { AddReceiverSecret } from "./add-receiver-secret.tsx";
import { BehaviourForm } from "./behaviour-form.tsx";
import { CreateReceiverDestination } from "./create-receiver-destination.tsx";
import { ReceivedLog } from "./received-log.tsx";

export function ReceivingAppPage() {
  const { data, error, isPending, refetch } = useQuery(receivingAppQuery);
  if (isPending) return <LoadingState what="the receiving app" rows={4} />;
  if (!data) return <ErrorState what="the receiving app" error={error} onRetry={() => void refetch()} />;
  const { url, behaviour, received, requests } = data;
  return (
    <div className="grid gap-6 min-[1100px]:grid-cols-[minmax(320px,400px)_minmax(0,1fr)]">
      <div className="flex min-w-0 flex-col gap-4">
        <Panel>
          <PanelHeader title="Destination" />
          <PanelBody className="flex flex-col gap-4">
            {url === null ? null : (
              <p className="flex min-w-0 items-center gap-1">
                <code className="min-w-0 break-all text-12">{url}</code>
                <CopyButton value={url} label="Copy the receiving app's URL" />
              </p>
            )}
            <CreateReceiverDestination app={data} />
          </PanelBody>
        </Panel>
        <BehaviourForm key={JSON.stringify(behaviour)} behaviour={behaviour} />
        <AddReceiverSecret />
      </div>
      <ReceivedLog received={received} requests={requests} />
    </div>
  );
}
