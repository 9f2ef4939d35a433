"use client";

import { StateBadge } from "#components/records/badges/state-badge";
import { SnoozeMenu } from "#components/records/snooze-menu";
import type { State } from "#components/ui/feedback/state-icon";
import { StateIcon } from "#components/ui/feedback/state-icon";
import { TextLink } from "#components/ui/layout/text-link";
import { RelativeTime } from "#components/ui/time/relative-time";
import { useSnoozeAlert } from "#lib/client/queries/alerts";
import type { Alert, AlertNotificationKind, AlertSend, AlertSendState } from "#lib/contracts/alerts/alerts";
import { amountWords } from "#lib/contracts/counts/amount";

const SENDS: Record<AlertSendState, { word: string; state: State }> = {
  pending: { word: "due", state: "working" },
  sent: { word: "arrived", state: "fine" },
  failed: { word: "given up", state: "failed" },
  cancelled: { word: "cancelled", state: "neutral" },
};

const NOTIFICATIONS: Record<AlertNotificationKind, string> = { opened: "Opened", reminder: "Reminder", recovered: "Recovered" };

export function AlertRow({ alert, canManage }: { alert: Alert; canManage: boolean }) {
  const { id, title, detail, state, count, unit, url, openedAt, closedAt, snoozed, sends } = alert;
  const snooze = useSnoozeAlert(id);
  return (
    <li className="flex flex-col gap-2 border-b border-line px-3 py-3">
      <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-64">
          <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
            {state === "open" ? <StateBadge state="failed">Open</StateBadge> : <StateBadge state="fine">Recovered</StateBadge>}
            <TextLink href={new URL(url).pathname + new URL(url).search} className="min-w-0 break-words font-medium">
              {title}
            </TextLink>
          </p>
          <p className="mt-1 text-12 text-muted">
            Began <RelativeTime at={openedAt} />
            {closedAt === null ? null : (
              <>
                , over <RelativeTime at={closedAt} />
              </>
            )}
            {count === null || unit === null ? null : ` · ${amountWords(count, unit)}`}
          </p>
          {state === "open" ? <p className="mt-1 max-w-[100ch] break-words text-13 text-muted">{detail}</p> : null}
        </div>
        {canManage && state === "open" ? <SnoozeMenu what={title} snoozed={snoozed} snooze={snooze} /> : null}
      </div>
      <Sends sends={sends} />
    </li>
  );
}

function Sends({ sends }: { sends: AlertSend[] }) {
  if (sends.length === 0) return <p className="text-12 text-muted">Nobody was notified.</p>;
  return (
    <ul aria-label="Sent to" className="flex flex-col gap-1">
      {sends.map(({ notification, channelId, channelName, state, outcome, attempts, at }) => (
        <li key={`${notification} ${channelId} ${at}`} className="flex flex-wrap items-center gap-x-2 text-12 text-muted">
          <StateIcon state={SENDS[state].state} />
          <span className="text-text">{channelName}</span>
          <span>
            {NOTIFICATIONS[notification]}, {SENDS[state].word} <RelativeTime at={at} />
            {attempts > 1 ? ` · ${attempts} attempts` : ""}
          </span>
          {outcome === null || state === "sent" ? null : <span className="min-w-0 break-words">{outcome}</span>}
        </li>
      ))}
    </ul>
  );
}
