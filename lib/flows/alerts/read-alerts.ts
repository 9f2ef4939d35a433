import { findChannel, listChannels, listRuleSettings, type StoredChannel } from "#lib/alerts/alert-settings-store";
import { countOpenByRule, findAlert, listAlerts, type StoredAlert } from "#lib/alerts/alert-store";
import { type Actor, mayDo } from "#lib/auth/actor";
import { env } from "#lib/config/env";
import { ALERT_RULES, type AlertFilter, RULE_WORDS } from "#lib/contracts/alert-rules";
import { type Alert, type AlertChannel, type AlertChannelList, type AlertRule, alert, alertChannel } from "#lib/contracts/alerts";
import { expectFound } from "#lib/contracts/api/app-error";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { Page, Paging } from "#lib/contracts/api/parameters";
import { maskedUrl } from "#lib/contracts/safe-urls";
import { answered } from "#lib/db/columns";
import { Cursor } from "#lib/db/cursor";

const CURSOR = new Cursor("alerts", { openedAt: "time", id: "id" });

export async function readAlerts(workspaceId: WorkspaceId, filter: AlertFilter, { limit, cursor }: Paging): Promise<Page<Alert>> {
  const after = CURSOR.decode(cursor, filter);
  const rows = await listAlerts(workspaceId, filter, limit + 1, after && { at: after.openedAt, id: after.id });
  return { data: rows.slice(0, limit).map(alertOf), nextCursor: CURSOR.next(rows, limit, filter) };
}

export async function getAlert(workspaceId: WorkspaceId, id: string): Promise<Alert> {
  const found = await expectFound(findAlert(workspaceId, id), "alert with that ID");
  return alertOf(found);
}

export async function readAlertRules(workspaceId: WorkspaceId): Promise<AlertRule[]> {
  const [settings, open] = await Promise.all([listRuleSettings(workspaceId), countOpenByRule(workspaceId)]);
  return ALERT_RULES.map((kind) => {
    const own = settings.find((each) => each.kind === kind);
    const { title, description, threshold, ofTypes } = RULE_WORDS[kind];
    return {
      ...{ kind, title, description, enabled: own?.enabled ?? true, open: open.get(kind) ?? 0 },
      threshold: threshold ? { value: own?.threshold ?? threshold.usual, ...threshold } : null,
      types: ofTypes ? (own?.types ?? []) : null,
      mutedUntil: own?.mutedUntil?.toISOString() ?? null,
      mutedBy: own?.mutedBy ?? null,
    };
  });
}

export async function readAlertChannels(workspaceId: WorkspaceId): Promise<AlertChannelList> {
  return { data: (await listChannels(workspaceId)).map(channelOf), nextCursor: null, email: env().mail !== null };
}

export async function getAlertChannel(workspaceId: WorkspaceId, id: string): Promise<AlertChannel> {
  const found = await expectFound(findChannel(workspaceId, id), "alert channel with that ID");
  return channelOf(found);
}

export const shownChannel = (actor: Actor, channel: AlertChannel): AlertChannel =>
  mayDo(actor, "alerts.manage") ? channel : { ...channel, target: maskedUrl(channel.target) };

const channelOf = ({ lastFailureAt, lastFailureText, ...channel }: StoredChannel): AlertChannel =>
  answered(alertChannel, {
    ...channel,
    lastFailure: lastFailureAt && { at: lastFailureAt.toISOString(), detail: lastFailureText ?? "" },
  });

const alertOf = (stored: StoredAlert): Alert =>
  answered(alert, {
    ...stored,
    state: stored.closedAt ? "closed" : "open",
    url: `${env().APP_URL}${stored.path}`,
    snoozed: stored.snoozedBy === null ? null : { until: stored.snoozedUntil?.toISOString() ?? null, by: stored.snoozedBy },
    sends: stored.sends.map((send) => ({ ...send, at: new Date(send.at).toISOString() })),
  });
