import { amountWords } from "#lib/contracts/alert-rules";
import type { AlertNotificationKind, AlertRuleKind } from "#lib/contracts/alerts";
import { countWords } from "#lib/contracts/format-count";
import type { PendingSend } from "./notification-store.ts";
import { rankOf } from "./severity.ts";

export type AlertLine = {
  /** Several if an episode began and ended before anything was sent. */
  sendIds: number[];
  kind: AlertNotificationKind;
  episodeId: string;
  rule: AlertRuleKind;
  subject: string;
  /** `Alert`, `Still open after 2 h`, `Recovered after 2 h`. */
  label: string;
  title: string;
  headline: string;
  /** Since when, for how long, how much. */
  facts: string;
  detail: string;
  url: string;
  action: string;
  openedAt: Date;
  closedAt: Date | null;
  count: number | null;
  unit: string | null;
};

/** A test has a single line. */
export type AlertMessage = { workspace: string; headline: string; lines: AlertLine[]; alertsUrl: string };

/** Composes one message, the gravest alert first, then the newest. @param appUrl without a slash at the end */
export function composeMessage(workspace: string, sends: PendingSend[], appUrl: string, now: Date): AlertMessage {
  const episodes = [...new Set(sends.map(({ episodeId }) => episodeId))];
  const sendsOf = (id: string) => sends.filter((each) => each.episodeId === id);
  const lines = episodes.map((id) => lineOf(sendsOf(id), appUrl, now));
  lines.sort((a, b) => rankOf(a) - rankOf(b) || b.openedAt.getTime() - a.openedAt.getTime() || (a.title < b.title ? -1 : 1));
  const name = oneLine(workspace);
  return { workspace: name, headline: `${name}: ${headlineOf(lines)}`, lines, alertsUrl: `${appUrl}/settings/alerts` };
}

/** Returns a message of some of its alerts, with a headline of their own. */
export const partOf = (message: AlertMessage, lines: AlertLine[]): AlertMessage => ({
  ...message,
  lines,
  headline: `${message.workspace}: ${headlineOf(lines)}`,
});

export function composeTest(workspace: string, sendId: number, appUrl: string, now: Date): AlertMessage {
  const alertsUrl = `${appUrl}/settings/alerts`;
  const headline = "Test message: alerts arrive here";
  const line: AlertLine = {
    ...{
      sendIds: [sendId],
      kind: "opened",
      episodeId: `test_${sendId}`,
      rule: "issue",
      subject: "test",
      label: "Test",
      title: headline,
      headline,
    },
    facts: `Sent ${timeWords(now)}.`,
    detail: "Someone chose Send test in Alerts. Nothing to do.",
    ...{ url: alertsUrl, action: "View alerts", openedAt: now, closedAt: null, count: null, unit: null },
  };
  const name = oneLine(workspace);
  return { workspace: name, headline: `${name}: ${headline}`, lines: [line], alertsUrl };
}

function lineOf(sends: PendingSend[], appUrl: string, now: Date): AlertLine {
  const last = sends.at(-1) as PendingSend;
  const first = sends[0] as PendingSend;
  const kind = last.kind === "recovered" ? "recovered" : first.kind;
  const { episodeId, rule, subject, title, detail, path, action, openedAt, closedAt, count, unit } = last;
  const words = oneLine(title);
  const lasted = durationWords((closedAt ?? now).getTime() - openedAt.getTime());
  const label = { opened: "Alert", reminder: `Still open after ${lasted}`, recovered: `Recovered after ${lasted}` }[kind];
  return {
    ...{ sendIds: sends.map(({ id }) => id), kind, episodeId, rule, subject, openedAt, closedAt, count, unit, action },
    ...{ label, title: words, headline: kind === "opened" ? words : `${label}: ${words}` },
    facts: factsOf(last, kind, lasted),
    detail: kind === "recovered" ? "" : oneLine(detail),
    url: `${appUrl}${path}`,
  };
}

/** Flattens others' text: its line breaks would forge lines of a message. */
const oneLine = (text: string): string => text.replace(/[\s\u0085]+/g, " ").trim();

function factsOf({ openedAt, closedAt, count, unit }: PendingSend, kind: AlertNotificationKind, lasted: string): string {
  const amount = count === null || unit === null ? "" : amountWords(count, unit);
  if (kind === "recovered" && closedAt)
    return `From ${timeWords(openedAt)} to ${timeWords(closedAt)}, ${lasted}.${amount && ` At most ${amount}.`}`;
  return `Since ${timeWords(openedAt)}${kind === "reminder" ? `, ${lasted}` : ""}.${amount && ` ${amount[0]?.toUpperCase()}${amount.slice(1)}.`}`;
}

function headlineOf(lines: AlertLine[]): string {
  const [first] = lines;
  if (!first) return "no alert";
  if (lines.length === 1) return first.headline;
  const over = lines.filter(({ kind }) => kind === "recovered").length;
  const open = lines.length - over;
  const counts = [open > 0 && countWords(open, "alert"), over > 0 && `${over} recovered`].filter(Boolean).join(", ");
  return `${counts}. ${first.headline}`;
}

/** Returns `22 Nov 2026, 07:52 UTC`. */
function timeWords(at: Date): string {
  const day = at.toLocaleDateString("en-GB", { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" });
  return `${day}, ${at.toISOString().slice(11, 16)} UTC`;
}

const SECOND = 1000;
const UNITS: [ms: number, name: string][] = [
  [86_400 * SECOND, "d"],
  [3600 * SECOND, "h"],
  [60 * SECOND, "min"],
  [SECOND, "s"],
];

/** Returns a duration in its two largest units: `2 h 5 min`. */
export function durationWords(ms: number): string {
  const at = UNITS.findIndex(([unit]) => ms >= unit);
  const [first, second] = UNITS.slice(at);
  if (at < 0 || !first) return "less than 1 s";
  const rest = second ? Math.floor((ms % first[0]) / second[0]) : 0;
  return `${Math.floor(ms / first[0])} ${first[1]}${second && rest > 0 ? ` ${rest} ${second[1]}` : ""}`;
}
