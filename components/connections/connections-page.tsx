"use client";

import { Link2 } from "lucide-react";
import { ConnectionStateBadge } from "#components/records/connection-state-badge";
import { FilterRow, useUrlFilter } from "#components/records/filters/filter-row";
import { PlatformMissing, type PlatformSetup } from "#components/records/platform-missing";
import { FormDialog } from "#components/shell/form-dialog";
import { Field } from "#components/ui/form";
import { ErrorState, LoadingState, NothingMatches, NothingYet, Skeleton } from "#components/ui/layout/content-states";
import { KeyValueList } from "#components/ui/layout/key-value-list";
import { PageBody, PageHeader } from "#components/ui/layout/page-header";
import { Panel } from "#components/ui/layout/section";
import { Button } from "#components/ui/primitives/button";
import { Input } from "#components/ui/primitives/input";
import { PageLink } from "#components/ui/primitives/page-link";
import { RelativeTime } from "#components/ui/relative-time";
import { useConnections, useStartConnect } from "#lib/client/queries/connections";
import { isEmptyFilter } from "#lib/client/url-filter";
import { CONNECTION_FILTERS, matchesConnectionFilter, worstFirst } from "#lib/contracts/connection-filters";
import type { ListedConnection } from "#lib/contracts/connections";
import {
  ConnectionActions,
  ConnectionProblemNotice,
  ConnectionWarnings,
  Expiry,
  type Outcome,
  OutcomeNotice,
} from "./connection-state.tsx";

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
        icon={<Link2 />}
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

function ConnectDialog({ scopes, disabled = false }: { scopes: string[]; disabled?: boolean }) {
  const start = useStartConnect();
  return (
    <FormDialog
      title="Connect an account"
      description={`The platform asks you to approve ${scopes.length === 0 ? "access" : "these permissions"}, then sends you back here.`}
      trigger={
        <Button variant="primary" icon={<Link2 />} disabled={disabled}>
          Connect an account
        </Button>
      }
      command={disabled ? undefined : "Connect account"}
      failed="Couldn't start connecting"
      submitLabel="Continue to the platform"
      onSubmit={(fields) => {
        const name = String(fields.get("name")).trim();
        return start.mutateAsync(name === "" ? {} : { name });
      }}
    >
      <Field
        name="name"
        label="Name"
        hint="What your team calls this account, e.g. “Acme production”. Without one it is named after the account."
        optional
      >
        <Input name="name" maxLength={80} autoFocus />
      </Field>
      {scopes.length === 0 ? null : (
        <div>
          <p className="text-13 font-medium">Permissions</p>
          <ul className="mt-1.5 flex flex-col gap-1 font-mono text-12 text-muted">
            {scopes.map((scope) => (
              <li key={scope}>{scope}</li>
            ))}
          </ul>
        </div>
      )}
    </FormDialog>
  );
}

/** A platform without scopes decides itself what it grants. */
function permissionWords({ state, requiredScopes, grantedScopes }: ListedConnection): string {
  const granted = requiredScopes.filter((scope) => grantedScopes.includes(scope)).length;
  if (requiredScopes.length === 0) return grantedScopes.length === 0 ? "None requested" : `${grantedScopes.length} granted`;
  return state === "pending" ? `${requiredScopes.length} requested` : `${granted} of ${requiredScopes.length} granted`;
}

type ConnectionCardProps = { connection: ListedConnection; canManage: boolean; canConnect: boolean };

function ConnectionCard({ connection, canManage, canConnect }: ConnectionCardProps) {
  const { id, name, state, sentence, problem, lastProvenAt, lastEventAt } = connection;
  return (
    <Panel className="flex min-w-0 flex-col">
      <div className="flex flex-1 flex-col gap-3 px-4 pt-3 pb-2">
        <div className="flex items-center gap-3">
          <h2 className="min-w-0 flex-1 truncate text-14 font-medium">
            <PageLink href={`/connections/${id}`} className="rounded-sm hover:underline">
              {name}
            </PageLink>
          </h2>
          <ConnectionStateBadge state={state} />
        </div>
        {problem === null ? <p className="text-muted">{sentence}</p> : <ConnectionProblemNotice connection={connection} />}
        <ConnectionWarnings connection={connection} />
        <KeyValueList
          items={[
            { label: "Access", value: <Expiry connection={connection} /> },
            { label: "Last verified", value: lastProvenAt === null ? "Never" : <RelativeTime at={lastProvenAt} /> },
            { label: "Last event", value: lastEventAt === null ? "None known" : <RelativeTime at={lastEventAt} /> },
            { label: "Permissions", value: permissionWords(connection) },
          ]}
        />
      </div>
      {canManage ? (
        <div className="flex flex-wrap justify-end gap-2 border-t border-line px-3 py-2">
          <ConnectionActions connection={connection} canConnect={canConnect} size="sm" />
        </div>
      ) : null}
    </Panel>
  );
}
