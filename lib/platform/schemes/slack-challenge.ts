import { parseJson } from "../envelope.ts";

/** Printable ASCII, and no more than a challenge needs: an answer is never a page. */
const ANSWERABLE = /^[\x20-\x7e]{1,512}$/;

/**
 * Slack's `url_verification` (docs.slack.dev/reference/events/url_verification): a signed request whose `challenge` is
 * to be sent back.
 *
 * @returns the challenge; null for any other request, and for one that can't be answered as text
 */
export function slackChallenge(body: Uint8Array): string | null {
  if (body.length > 4096) return null;
  const json = parseJson(body);
  if (!json.ok || typeof json.value !== "object" || json.value === null) return null;
  const { type, challenge } = json.value as Record<string, unknown>;
  return type === "url_verification" && typeof challenge === "string" && ANSWERABLE.test(challenge) ? challenge : null;
}
