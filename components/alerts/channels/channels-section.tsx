"use client";

import { useQuery } from "@tanstack/react-query";
import { Bell } from "lucide-react";
import { StateBadge } from "#components/records/badges/state-badge";
import { ErrorState, LoadingState, NothingYet } from "#components/ui/layout/empty-state";
import { Section } from "#components/ui/layout/section";
import { RelativeTime } from "#components/ui/time/relative-time";
import { alertChannelsQuery } from "#lib/client/queries/alerts";
import { type AlertChannel, CHANNEL_LABELS } from "#lib/contracts/alerts/channels";
import { RULE_WORDS } from "#lib/contracts/alerts/rules";
import { ChannelActions } from "./channel-actions.tsx";
import { CreateChannelDialog } from "./create-channel-dialog.tsx";

export function ChannelsSection({ canManage }: { canManage: boolean }) {
  const { data, error, isPending, refetch } = useQuery(alertChannelsQuery);
  return (
    <Section
      title="Channels"
      description="Where alerts are sent. Alerts within a minute share one message."
      actions={canManage ? <CreateChannelDialog email={data?.email ?? true} /> : undefined}
    >
      {isPending ? (
        <LoadingState what="the channels" rows={2} />
      ) : !data ? (
        <ErrorState what="the channels" error={error} onRetry={() => void refetch()} />
      ) : data.data.length === 0 ? (
        <NothingYet icon={<Bell aria-hidden />} title="No channels yet">
          {canManage
            ? "Nobody is notified when something fails. Add an email address, a chat or PagerDuty."
            : "Nobody is notified when something fails. A developer, admin or owner can add a channel."}
        </NothingYet>
      ) : (
        <ul aria-label="Channels" className="border-t border-line">
          {data.data.map((channel) => (
            <ChannelRow key={channel.id} channel={channel} canManage={canManage} />
          ))}
        </ul>
      )}
    </Section>
  );
}

function ChannelRow({ channel, canManage }: { channel: AlertChannel; canManage: boolean }) {
  const { name, kind, target, rules, lastFailure, failingSince } = channel;
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-2 border-b border-line px-3 py-3">
      <div className="min-w-0 flex-1 basis-64">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="min-w-0 truncate font-medium">{name}</span>
          <ChannelState channel={channel} />
        </p>
        <p className="mt-0.5 break-words text-12 text-muted">
          {CHANNEL_LABELS[kind] ?? kind} · {target}
        </p>
        {rules.length === 0 ? null : (
          <p className="mt-0.5 text-12 text-muted">Only: {rules.map((rule) => RULE_WORDS[rule].title).join(", ")}</p>
        )}
        {failingSince === null || lastFailure === null ? null : (
          <p className="mt-1 break-words text-13 text-failed">
            {lastFailure.detail} <RelativeTime at={lastFailure.at} />
          </p>
        )}
      </div>
      {canManage ? <ChannelActions channel={channel} /> : null}
    </li>
  );
}

function ChannelState({ channel: { failingSince, lastSentAt } }: { channel: AlertChannel }) {
  if (failingSince !== null)
    return (
      <StateBadge state="failed">
        Failing since <RelativeTime at={failingSince} />
      </StateBadge>
    );
  if (lastSentAt === null) return <StateBadge state="neutral">Nothing sent yet</StateBadge>;
  return (
    <StateBadge state="fine">
      Last sent <RelativeTime at={lastSentAt} />
    </StateBadge>
  );
}
