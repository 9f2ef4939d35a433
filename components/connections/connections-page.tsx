"use client";

import { Link2 } from "lucide-react";
import { ConnectDialog } from "#components/connections/connect-dialog";
import { ConnectionCard } from "#components/connections/connection-card";
import { type Outcome, OutcomeNotice } from "#components/connections/outcome-notice";
import { ErrorState, LoadingState, NothingYet } from "#components/ui/empty-state";
import { PageBody } from "#components/ui/page-body";
import { PageHeader } from "#components/ui/page-header";
import { Skeleton } from "#components/ui/skeleton";
import { useConnections, worstFirst } from "#lib/client/connections";

type Props = { scopes: string[]; canManage: boolean; outcome: Outcome | null };

/** Every linked account as a card. */
export function ConnectionsPage({ scopes, canManage, outcome }: Props) {
  const connect = canManage ? <ConnectDialog scopes={scopes} /> : undefined;
  return (
    <PageBody>
      <PageHeader title="Connections" description="Accounts of the platform that Signalbox may act for." actions={connect} />
      {outcome === null ? null : <OutcomeNotice outcome={outcome} name={null} here="/connections" />}
      <Cards canManage={canManage} scopes={scopes} />
    </PageBody>
  );
}

function Cards({ canManage, scopes }: Pick<Props, "canManage" | "scopes">) {
  const { data, error, isPending, refetch } = useConnections();
  if (isPending) {
    return (
      <LoadingState what="connections">
        <Skeleton className="h-56 w-96 max-w-full rounded-md" />
      </LoadingState>
    );
  }
  if (!data) return <ErrorState what="the connections" error={error} onRetry={() => void refetch()} />;
  if (data.length === 0) {
    return (
      <NothingYet
        icon={<Link2 aria-hidden />}
        title="Nothing is connected yet"
        actions={canManage ? <ConnectDialog scopes={scopes} /> : undefined}
      >
        {canManage
          ? "Connect an account: you approve the permissions on the platform and come back here."
          : "Ask an owner, admin or developer to connect an account."}
      </NothingYet>
    );
  }
  return (
    <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(380px,100%),1fr))] gap-4">
      {worstFirst(data).map((connection) => (
        <li key={connection.id} className="flex min-w-0 *:flex-1">
          <ConnectionCard connection={connection} canManage={canManage} />
        </li>
      ))}
    </ul>
  );
}
