import type { AlertLine, AlertMessage } from "./message.ts";
import { colorOf } from "./severity.ts";

const MAX_LINES = 50;
const FONT = "font-family:-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

export function emailOf(message: AlertMessage): { subject: string; text: string; html: string } {
  const lines = message.lines.slice(0, MAX_LINES);
  const more = message.lines.length - lines.length;
  return { subject: oneLine(message.headline).slice(0, 200), text: textOf(message, lines, more), html: htmlOf(message, lines, more) };
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
