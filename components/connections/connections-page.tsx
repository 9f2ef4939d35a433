"use client";

import { Link2 } from "lucide-react";
import { ConnectDialog } from "#components/connections/connect-dialog";
import { ConnectionCard } from "#components/connections/connection-card";
import { type Outcome, OutcomeNotice } from "#components/connections/outcome-notice";
import { FilterRow } from "#components/records/filters/filter-row";
import { useUrlFilter } from "#components/records/filters/use-url-filter";
import { PlatformMissing, type PlatformSetup } from "#components/records/platform-missing";
import { ErrorState, LoadingState, NothingMatches, NothingYet } from "#components/ui/layout/empty-state";
import { PageBody } from "#components/ui/layout/page-body";
import { PageHeader } from "#components/ui/layout/page-header";
import { Skeleton } from "#components/ui/primitives/skeleton";
import { worstFirst } from "#lib/client/format/worst-first";
import { useConnections } from "#lib/client/queries/connections";
import { isEmptyFilter } from "#lib/client/url-filter";
import type { ListedConnection } from "#lib/contracts/connections";
import { CONNECTION_FILTERS, matchesConnectionFilter } from "#lib/contracts/filters/connection-filters";

/** Number of cards that need no filter. */
const FEW = 6;

type Props = { scopes: string[]; platform: PlatformSetup; canManage: boolean; outcome: Outcome | null };

export function ConnectionsPage({ scopes, platform, canManage, outcome }: Props) {
  const canConnect = platform.missing.length === 0;
  const connect = canManage ? <ConnectDialog scopes={scopes} disabled={!canConnect} /> : undefined;
  return (
    <PageBody>
      <PageHeader title="Connections" description="Platform accounts connected to Signalbox." actions={connect} />
      {outcome === null ? null : <OutcomeNotice outcome={outcome} name={null} here="/connections" />}
      <PlatformMissing platform={platform} />
      <Cards canManage={canManage} canConnect={canConnect} scopes={scopes} />
    </PageBody>
  );
}

type CardsProps = Pick<Props, "canManage" | "scopes"> & { canConnect: boolean };

function Cards({ canManage, canConnect, scopes }: CardsProps) {
  const { data, error, isPending, refetch } = useConnections();
  const { filter, setFilter } = useUrlFilter(CONNECTION_FILTERS);
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
        title="No connections yet"
        actions={canManage && canConnect ? <ConnectDialog scopes={scopes} /> : undefined}
      >
        {canManage
          ? "Connect an account: you approve the permissions on the platform, then return here."
          : "Ask an owner, admin or developer to connect an account."}
      </NothingYet>
    );
  }
  const shown = worstFirst(data.filter((connection) => matchesConnectionFilter(connection, filter)));
  const field =
    data.length > FEW || !isEmptyFilter(filter) ? (
      <FilterRow what="connections" filters={CONNECTION_FILTERS} filter={filter} onChange={setFilter} />
    ) : null;
  return (
    <>
      {field}
      {shown.length === 0 ? (
        <NothingMatches what="connections" onClear={() => setFilter({})}>
          No connection is in this state.
        </NothingMatches>
      ) : (
        <CardList connections={shown} canManage={canManage} canConnect={canConnect} />
      )}
    </>
  );
}

type CardListProps = { connections: ListedConnection[]; canManage: boolean; canConnect: boolean };

function CardList({ connections, canManage, canConnect }: CardListProps) {
  return (
    <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(380px,100%),1fr))] gap-4">
      {connections.map((connection) => (
        <li key={connection.id} data-row className="flex min-w-0 *:flex-1">
          <ConnectionCard connection={connection} canManage={canManage} canConnect={canConnect} />
        </li>
      ))}
    </ul>
  );
}
