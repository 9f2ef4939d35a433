import type { AlertLine, AlertMessage } from "./message.ts";
import { colorOf } from "./severity.ts";

/** Discord takes ten parts a message; what is left out is counted and linked. */
const MAX_LINES = 9;

const shown = ({ lines }: AlertMessage) => lines.slice(0, MAX_LINES);
const restOf = ({ lines, alertsUrl }: AlertMessage) =>
  lines.length > MAX_LINES ? { text: `And ${lines.length - MAX_LINES} more`, url: alertsUrl } : null;

/** Escapes Slack's control characters (https://docs.slack.dev/messaging/formatting-message-text). */
const slackText = (text: string) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");

/** Slack has no escape for emphasis marks: a zero-width space separates one from the word it begins. */
const slackPlain = (text: string) => slackText(text).replace(/(?<![\p{L}\p{N}])[*_~`](?=\S)/gu, "$&\u200b");

/** With `verbatim`, Slack links and mentions nothing in an event's text. */
const slackWords = (text: string) => ({ type: "mrkdwn", text, verbatim: true });
const bodyOf = ({ facts, detail }: AlertLine) => [facts, detail].filter(Boolean).join("\n");

/** Composes a Slack message (Block Kit); `text` is what notifications show. */
export function slackMessage(message: AlertMessage): object {
  const rest = restOf(message);
  return {
    text: slackText(message.headline),
    ...{ mrkdwn: false, link_names: false, unfurl_links: false, unfurl_media: false },
    blocks: [
      { type: "context", elements: [slackWords(`Signalbox · ${slackPlain(message.workspace)}`)] },
      ...shown(message).map((line) => ({
        type: "section",
        text: slackWords(
          `${MARKS[line.kind]} *${slackPlain(line.headline.slice(0, 900))}*\n${slackPlain(bodyOf(line).slice(0, 1000))}`.slice(0, 2900),
        ),
        accessory: { type: "button", text: { type: "plain_text", text: line.action }, url: line.url, action_id: `open_${line.episodeId}` },
      })),
      ...(rest ? [{ type: "section", text: slackWords(`<${rest.url}|${rest.text}>`) }] : []),
    ],
  };
}

const MARKS = { opened: ":red_circle:", reminder: ":red_circle:", recovered: ":large_green_circle:" } as const;
const TEAMS_COLORS = { opened: "attention", reminder: "attention", recovered: "good" } as const;

/** Composes an Adaptive Card, as Teams workflows take it; `summary` is what notifications show. */
export function teamsMessage(message: AlertMessage): object {
  const rest = restOf(message);
  const lines = shown(message);
  const card = {
    $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
    type: "AdaptiveCard",
    version: "1.4",
    fallbackText: message.headline,
    body: [
      { type: "TextBlock", text: `Signalbox · ${message.workspace}`, isSubtle: true, size: "Small", wrap: true },
      ...lines.flatMap((line) => [
        { type: "TextBlock", text: plain(line.headline), weight: "Bolder", color: TEAMS_COLORS[line.kind], wrap: true, spacing: "Medium" },
        { type: "TextBlock", text: plain(bodyOf(line)), wrap: true, spacing: "Small" },
      ]),
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

/** Composes a Discord message that mentions nobody; `content` is what notifications show. */
export function discordMessage(message: AlertMessage): object {
  const rest = restOf(message);
  return {
    username: "Signalbox",
    content: plain(message.headline).slice(0, 1900),
    allowed_mentions: { parse: [] },
    embeds: [
      ...shown(message).map((line) => ({
        title: line.headline.slice(0, 250),
        url: line.url,
        description: `${plain(bodyOf(line))}\n[${line.action}](${line.url})`.slice(0, 4000),
        color: Number.parseInt(colorOf(line), 16),
        timestamp: (line.closedAt ?? line.openedAt).toISOString(),
        footer: { text: message.workspace.slice(0, 200) },
      })),
      ...(rest ? [{ title: rest.text, url: rest.url }] : []),
    ],
  };
}
