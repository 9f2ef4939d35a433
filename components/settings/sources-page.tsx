"use client";

import { RotateDialog } from "#components/settings/rotate-dialog";
import { CopyButton } from "#components/ui/copy-button";
import { ErrorState, LoadingState } from "#components/ui/empty-state";
import { KeyValueList } from "#components/ui/key-value-list";
import { Panel, PanelHeader } from "#components/ui/panel";
import { RelativeTime } from "#components/ui/relative-time";
import { ResourceId } from "#components/ui/resource-id";
import { Section } from "#components/ui/section";
import { StateBadge } from "#components/ui/state-badge";
import { useSources } from "#lib/client/settings";
import type { Source } from "#lib/contracts/settings";

/** Where webhooks come in, and the secrets that they are signed with. */
export function SourcesPage({ canManage }: { canManage: boolean }) {
  const { data, error, isPending, refetch } = useSources();
  return (
    <Section title="Sources and secrets" description="Where the platform posts its webhooks, and the secrets that sign them.">
      {isPending ? (
        <LoadingState what="the sources" rows={3} />
      ) : !data ? (
        <ErrorState what="the sources" error={error} onRetry={() => void refetch()} />
      ) : (
        data.map((source) => <SourcePanel key={source.id} source={source} canManage={canManage} />)
      )}
    </Section>
  );
}

function SourcePanel({ source, canManage }: { source: Source; canManage: boolean }) {
  const { name, url, lastEventAt, secrets } = source;
  return (
    <Panel>
      <PanelHeader title={name} actions={canManage ? <RotateDialog source={source} /> : undefined} />
      <KeyValueList
        className="px-4 py-1"
        items={[
          {
            label: "Address",
            value: (
              <span className="flex max-w-full items-center gap-1">
                <code className="min-w-0 break-all text-12">{url}</code>
                <CopyButton value={url} label="Copy the address" />
              </span>
            ),
          },
          { label: "Last event", value: lastEventAt === null ? "None yet" : <RelativeTime at={lastEventAt} /> },
          {
            label: "Secrets",
            value:
              secrets.length === 0 ? <StateBadge state="failed">None: everything is refused</StateBadge> : <Secrets secrets={secrets} />,
          },
        ]}
      />
    </Panel>
  );
}

function Secrets({ secrets }: Pick<Source, "secrets">) {
  return (
    <ul className="flex flex-col gap-2">
      {secrets.map(({ id, createdAt, validUntil }) => (
        <li key={id} className="flex flex-wrap items-center gap-x-3 gap-y-1">
          {validUntil === null ? <StateBadge state="fine">Active</StateBadge> : <StateBadge state="attention">Retiring</StateBadge>}
          <ResourceId id={id} />
          <span className="text-12 text-muted">
            made <RelativeTime at={createdAt} />
            {validUntil === null ? null : (
              <>
                , ends <RelativeTime at={validUntil} />
              </>
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}
