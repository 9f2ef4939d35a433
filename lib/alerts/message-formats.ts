import type { AlertLine, AlertMessage } from "./message.ts";
import { colorOf, severityOf } from "./severity.ts";

/** Discord takes ten parts a message; what is left out is counted and linked. */
const MAX_LINES = 9;

/** Returns the first alerts that fit into one message: at least one. */
function shown({ lines }: AlertMessage, sizeOf: (line: AlertLine) => number, maxSize: number): AlertLine[] {
  let size = 0;
  const isTooMuch = (line: AlertLine, at: number) => {
    size += sizeOf(line);
    return at > 0 && size > maxSize;
  };
  const end = lines.slice(0, MAX_LINES).findIndex(isTooMuch);
  return lines.slice(0, end < 0 ? MAX_LINES : end);
}

/** True for a message that tells all its alerts, or has so many that some are only counted in any case. */
const isWhole = ({ lines }: AlertMessage, told: AlertLine[]) => lines.length > MAX_LINES || told.length === lines.length;

const restOf = ({ lines, alertsUrl }: AlertMessage, told: AlertLine[]) =>
  lines.length > told.length ? { text: `And ${lines.length - told.length} more`, url: alertsUrl } : null;

/** Cuts between characters: half of one is no valid JSON text. */
const cut = (text: string, length: number) => text.slice(0, length).toWellFormed();

/** Escapes Slack's control characters (https://docs.slack.dev/messaging/formatting-message-text). */
const slackText = (text: string) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");

/** Slack has no escape for emphasis marks: a zero-width space separates one from the word it begins. */
const slackPlain = (text: string) => slackText(text).replace(/(?<![\p{L}\p{N}])[*_~`](?=\S)/gu, "$&\u200b");

/** With `verbatim`, Slack links and mentions nothing in an event's text. */
const slackWords = (text: string) => ({ type: "mrkdwn", text, verbatim: true });
const bodyOf = ({ facts, detail }: AlertLine) => [facts, detail].filter(Boolean).join("\n");

/** Composes a Slack message (Block Kit); `text` is what notifications show. */
export function slackMessage(message: AlertMessage): object {
  const told = message.lines.slice(0, MAX_LINES);
  const rest = restOf(message, told);
  return {
    text: slackText(message.headline),
    ...{ mrkdwn: false, link_names: false, unfurl_links: false, unfurl_media: false },
    blocks: [
      { type: "context", elements: [slackWords(`Signalbox · ${slackPlain(message.workspace)}`)] },
      ...told.map((line) => ({
        type: "section",
        text: slackWords(cut(`${MARKS[line.kind]} *${slackPlain(cut(line.headline, 900))}*\n${slackPlain(cut(bodyOf(line), 1000))}`, 2900)),
        accessory: { type: "button", text: { type: "plain_text", text: line.action }, url: line.url, action_id: `open_${line.episodeId}` },
      })),
      ...(rest ? [{ type: "section", text: slackWords(`<${rest.url}|${rest.text}>`) }] : []),
    ],
  };
}

const MARKS = { opened: ":red_circle:", reminder: ":red_circle:", recovered: ":large_green_circle:" } as const;
const TEAMS_COLORS = { opened: "attention", reminder: "attention", recovered: "good" } as const;

/** Teams takes messages of about 28 KB, this and the rest of the card included. */
const MAX_TEAMS_BYTES = 20_000;

const teamsBlocks = (line: AlertLine) => [
  {
    ...{ type: "TextBlock", text: plain(line.headline), weight: "Bolder", color: TEAMS_COLORS[line.kind] },
    ...{ wrap: true, spacing: "Medium" },
  },
  { type: "TextBlock", text: plain(bodyOf(line)), wrap: true, spacing: "Small" },
];

const teamsLines = (message: AlertMessage) =>
  shown(message, (line) => Buffer.byteLength(JSON.stringify([teamsBlocks(line), line.url])), MAX_TEAMS_BYTES);

export const fitsTeams = (message: AlertMessage): boolean => isWhole(message, teamsLines(message));

/** Composes an Adaptive Card, as Teams workflows take it; `summary` is what notifications show. */
export function teamsMessage(message: AlertMessage): object {
  const lines = teamsLines(message);
  const rest = restOf(message, lines);
  const card = {
    $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
    type: "AdaptiveCard",
    version: "1.4",
    fallbackText: message.headline,
    body: [
      { type: "TextBlock", text: `Signalbox · ${message.workspace}`, isSubtle: true, size: "Small", wrap: true },
      ...lines.flatMap(teamsBlocks),
      ...(rest ? [{ type: "TextBlock", text: rest.text, wrap: true }] : []),
    ],
    // A card shows six buttons at most.
    actions: uniqueActions(lines)
      .slice(0, rest ? 5 : 6)
      .concat(rest ? [{ action: "View alerts", url: rest.url }] : [])
      .map(({ action, url }) => ({ type: "Action.OpenUrl", title: action, url })),
  };
  return {
    type: "message",
    summary: message.headline,
    attachments: [{ contentType: "application/vnd.microsoft.card.adaptive", contentUrl: null, content: card }],
  };
}

const uniqueActions = (lines: AlertLine[]): { action: string; url: string }[] => [
  ...new Map(lines.map(({ action, url }) => [url, { action, url }])).values(),
];

/** Escapes Markdown, which cards and embeds read. */
const plain = (text: string) => text.replace(/([\\*_`~|[\]])/g, "\\$1");

/** Limit of the titles, descriptions and footers of all embeds together (6,000), without the one that counts the rest. */
const MAX_EMBEDS_LENGTH = 5900;

function embedOf(line: AlertLine, workspace: string) {
  const link = `\n[${line.action}](${line.url})`;
  return {
    title: cut(line.headline, 250),
    url: line.url,
    description: cut(plain(bodyOf(line)), 4000 - link.length) + link,
    color: Number.parseInt(colorOf(line), 16),
    timestamp: (line.closedAt ?? line.openedAt).toISOString(),
    footer: { text: cut(workspace, 200) },
  };
}

function discordLines(message: AlertMessage): AlertLine[] {
  const lengthOf = (line: AlertLine) => {
    const { title, description, footer } = embedOf(line, message.workspace);
    return title.length + description.length + footer.text.length;
  };
  return shown(message, lengthOf, MAX_EMBEDS_LENGTH);
}

export const fitsDiscord = (message: AlertMessage): boolean => isWhole(message, discordLines(message));

/** Composes a Discord message that mentions nobody; `content` is what notifications show. */
export function discordMessage(message: AlertMessage): object {
  const lines = discordLines(message);
  const rest = restOf(message, lines);
  return {
    username: "Signalbox",
    content: cut(plain(message.headline), 1900),
    allowed_mentions: { parse: [] },
    embeds: [...lines.map((line) => embedOf(line, message.workspace)), ...(rest ? [{ title: rest.text, url: rest.url }] : [])],
  };
}

const MAX_EMAIL_LINES = 50;
const FONT = "font-family:-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

export function emailOf(message: AlertMessage): { subject: string; text: string; html: string } {
  const lines = message.lines.slice(0, MAX_EMAIL_LINES);
  const more = message.lines.length - lines.length;
  return { subject: cut(oneLine(message.headline), 200), text: textOf(message, lines, more), html: htmlOf(message, lines, more) };
}

const oneLine = (text: string) => text.replace(/\s+/g, " ").trim();

function textOf({ alertsUrl, workspace }: AlertMessage, lines: AlertLine[], more: number): string {
  const blocks = lines.map(({ headline, facts, detail, action, url }) =>
    [headline, facts, detail, `${action}: ${url}`].filter(Boolean).join("\n"),
  );
  const rest = more > 0 ? [`And ${more} more: ${alertsUrl}`] : [];
  return [...blocks, ...rest, `-- \nSignalbox, workspace ${workspace}\nChange who is notified: ${alertsUrl}`].join("\n\n");
}

function htmlOf(message: AlertMessage, lines: AlertLine[], more: number): string {
  const rest =
    more > 0
      ? `<p style="${FONT};font-size:14px;color:#52525b">And ${more} more in <a href="${escapeHtml(message.alertsUrl)}">alerts</a>.</p>`
      : "";
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light">
<title>${escapeHtml(oneLine(message.headline))}</title></head>
<body style="margin:0;padding:0;background:#f4f4f5">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background:#f4f4f5"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px"><tr><td>
<p style="${FONT};font-size:13px;line-height:20px;color:#52525b;margin:0 0 12px">Signalbox · ${escapeHtml(message.workspace)}</p>
${lines.map(cardOf).join("\n")}
${rest}
<p style="${FONT};font-size:12px;line-height:18px;color:#52525b;margin:16px 0 0">Sent because this address is in an alert channel of ${escapeHtml(message.workspace)}. <a href="${escapeHtml(message.alertsUrl)}" style="color:#52525b">Change who is notified</a></p>
</td></tr></table></td></tr></table></body></html>`;
}

function cardOf(line: AlertLine): string {
  const { label, title, facts, detail, url, action } = line;
  const color = `#${colorOf(line)}`;
  const paragraph = (text: string) =>
    `<p style="${FONT};font-size:14px;line-height:21px;color:#3f3f46;margin:0 0 10px">${escapeHtml(text)}</p>`;
  return `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background:#ffffff;border:1px solid #e4e4e7;border-left:4px solid ${color};border-radius:6px;margin:0 0 12px"><tr><td style="padding:16px 20px">
<p style="${FONT};font-size:12px;line-height:16px;font-weight:600;color:${color};margin:0 0 6px">${escapeHtml(label)}</p>
<p style="${FONT};font-size:16px;line-height:23px;font-weight:600;color:#18181b;margin:0 0 8px">${escapeHtml(title)}</p>
${paragraph(facts)}${detail ? paragraph(detail) : ""}
<p style="margin:14px 0 2px"><a href="${escapeHtml(url)}" style="${FONT};font-size:14px;line-height:20px;font-weight:600;color:#ffffff;background:#18181b;text-decoration:none;padding:8px 14px;border-radius:6px;display:inline-block">${escapeHtml(action)}</a></p>
</td></tr></table>`;
}

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? "");

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
      summary: cut(`${workspace}: ${line.headline}`, MAX_SUMMARY),
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
