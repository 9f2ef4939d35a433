import type { AlertLine, AlertMessage } from "./message.ts";
import { severityOf } from "./severity.ts";

const MAX_SUMMARY = 1024;

/** Returns a PagerDuty event (Events API v2). The episode is the incident: a reminder triggers it again, the end resolves it. */
export function pagerDutyEvent(routingKey: string, { workspace }: AlertMessage, line: AlertLine, action = actionOf(line)): object {
  return {
    routing_key: routingKey,
    event_action: action,
    dedup_key: line.episodeId,
    client: "Signalbox",
    client_url: line.url,
    links: [{ href: line.url, text: line.action }],
    payload: {
      summary: `${workspace}: ${line.headline}`.slice(0, MAX_SUMMARY),
      source: `Signalbox, ${workspace}`,
      severity: severityOf(line),
      timestamp: (line.closedAt ?? line.openedAt).toISOString(),
      component: line.subject,
      class: line.rule,
      custom_details: { facts: line.facts, detail: line.detail },
    },
  };
}

const actionOf = ({ kind }: AlertLine): "trigger" | "resolve" => (kind === "recovered" ? "resolve" : "trigger");

export const webhookBody = ({ workspace, headline, lines }: AlertMessage, now: Date): object => ({
  type: "alerts",
  timestamp: now.toISOString(),
  data: {
    workspace,
    summary: headline,
    alerts: lines.map(({ kind, episodeId, rule, subject, title, facts, detail, url, openedAt, closedAt, count, unit }) => ({
      ...{ id: episodeId, notification: subject === "test" ? "test" : kind, rule, subject, title, facts, detail, count, unit, url },
      openedAt: openedAt.toISOString(),
      closedAt: closedAt?.toISOString() ?? null,
    })),
  },
});
