"use client";

import { ConnectionActions } from "#components/connections/connection-actions";
import { ConnectionProblemNotice } from "#components/connections/connection-problem";
import { ConnectionWarnings } from "#components/connections/connection-warnings";
import { Expiry } from "#components/connections/expiry";
import { ConnectionStateBadge } from "#components/records/badges/connection-state-badge";
import { KeyValueList } from "#components/ui/layout/key-value-list";
import { Panel } from "#components/ui/layout/panel";
import { PageLink } from "#components/ui/primitives/page-link";
import { RelativeTime } from "#components/ui/time/relative-time";
import type { ListedConnection } from "#lib/contracts/connections";

type ConnectionCardProps = { connection: ListedConnection; canManage: boolean; canConnect: boolean };

export function ConnectionCard({ connection, canManage, canConnect }: ConnectionCardProps) {
  const { id, name, state, sentence, problem, lastProvenAt, requiredScopes, grantedScopes, lastEventAt } = connection;
  const granted = requiredScopes.filter((scope) => grantedScopes.includes(scope)).length;
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
            { label: "Last event", value: lastEventAt === null ? "None yet" : <RelativeTime at={lastEventAt} /> },
            {
              label: "Permissions",
              value: state === "pending" ? `${requiredScopes.length} requested` : `${granted} of ${requiredScopes.length} granted`,
            },
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
