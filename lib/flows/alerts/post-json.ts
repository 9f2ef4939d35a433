import { fixOf } from "#lib/forwarding/attempt/outcomes";
import { CLIENT_HEADERS } from "#lib/forwarding/attempt/outgoing-request";
import { withoutSecret } from "#lib/forwarding/attempt/redaction";
import { sendAttempt, TargetConnection } from "#lib/forwarding/attempt/send-attempt";
import { readTargetUrl } from "#lib/forwarding/check-target";

const SHOWN_ANSWER = 160;

/** Statuses that are about this body: the next one may be accepted. */
const REFUSALS = [400, 413, 422];

/** Posts as a delivery is sent: to checked IPs, without redirects, within 15 s. Never throws, and hides `url` and `secret` in its text. */
export async function postJson(
  url: string,
  body: Uint8Array,
  now: Date,
  giveUp: AbortSignal,
  secret: string,
  headers: Record<string, string> = {},
): Promise<Delivered> {
  const read = readTargetUrl(url);
  if (!read.ok) return { arrived: false, detail: read.reason, retryAfterMs: null };
  const connection = new TargetConnection(read.target);
  try {
    const all = { "content-type": "application/json", ...CLIENT_HEADERS, ...headers };
    const result = await sendAttempt(connection, { path: read.target.path, headers: all, body }, now, giveUp);
    if (!result) return { arrived: false, detail: "The attempt timed out.", retryAfterMs: null };
    const { outcome, detail, answer, retryAfterMs } = result;
    if (outcome === "delivered") return { arrived: true, detail, retryAfterMs: null };
    const hidden = (text: string) => withoutSecret(withoutSecret(text, url), secret);
    const said = answer ? hidden(textOf(answer.body)).slice(0, SHOWN_ANSWER).toWellFormed() : "";
    const what = hidden(detail);
    const refused = answer !== null && REFUSALS.includes(answer.status);
    return { arrived: false, detail: `${what}${said ? `: ${said}` : ""}. ${answer ? "" : fixOf(outcome)}`.trim(), retryAfterMs, refused };
  } finally {
    connection.close();
  }
}

/** Returns an answer's text; empty for HTML. */
function textOf(body: Uint8Array): string {
  const text = Buffer.from(body).toString("utf8").replaceAll("\u0000", "").replace(/\s+/g, " ").trim();
  return text.startsWith("<") ? "" : text;
}

/** `retryAfterMs`: wait before the next attempt, where the answer names one. */
export type Delivered = {
  arrived: boolean;
  detail: string;
  retryAfterMs: number | null;
  /** True if the other side has rejected this message and may take the next one. */
  refused?: boolean;
};
