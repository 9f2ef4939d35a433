import { createHmac, timingSafeEqual } from "node:crypto";
import { parseJson } from "../../reading/payload.ts";

/** A sender's request: the query of the URL, and a body where it sends one. */
export type ChallengeRequest = { query: string; body: Uint8Array };

/** An answer as the sender wants it; or a URL of the sender's that is to be visited, by a worker and never while it waits. */
export type ChallengeAnswer = TextAnswer | { visit: string };
export type TextAnswer = { contentType: "text/plain; charset=utf-8" | "application/json"; body: string };

/** A sender's question whether somebody listens at a URL. Nothing of it is kept. */
export type Challenge = {
  /** `signed`: a POST signed as its events are, and answered after it has verified. The others come without any proof. */
  asked: "get" | "post" | "signed";
  /** Null for what is no such question, and for one that can't be answered safely. */
  answer: (request: ChallengeRequest, secret: string) => ChallengeAnswer | null;
};

/** Printable ASCII, and no more than a challenge needs: an answer is never a page. */
const ANSWERABLE = /^[\x20-\x7e]{1,512}$/;
/** Form of a token. No event has it: it would be an object, a list or a form with a value. */
const TOKEN = /^[A-Za-z0-9+/_-]{1,512}={0,2}$/;

const asText = (text: string): TextAnswer | null =>
  ANSWERABLE.test(text) ? { contentType: "text/plain; charset=utf-8", body: text } : null;
const asJson = (value: unknown): TextAnswer => ({ contentType: "application/json", body: JSON.stringify(value) });
const one = (query: string, name: string): string => {
  const all = new URLSearchParams(query).getAll(name);
  return all.length === 1 ? (all[0] ?? "") : "";
};

/** A small body that is an object. */
function objectIn(body: Uint8Array): Record<string, unknown> | null {
  const json = body.length <= 4096 ? parseJson(body) : null;
  return json?.ok && typeof json.value === "object" && json.value !== null ? (json.value as Record<string, unknown>) : null;
}

/** Slack's `url_verification`: its `challenge` is sent back. docs.slack.dev/reference/events/url_verification */
export const slackChallenge: Challenge = {
  asked: "signed",
  answer({ body }) {
    const asked = objectIn(body);
    return asked?.type === "url_verification" && typeof asked.challenge === "string" ? asText(asked.challenge) : null;
  },
};

/** Zoom's `endpoint.url_validation`: its token is sent back with its HMAC. developers.zoom.us/docs/api/webhooks/ */
export const zoomChallenge: Challenge = {
  asked: "signed",
  answer({ body }, secret) {
    const asked = objectIn(body);
    if (asked?.event !== "endpoint.url_validation" || typeof asked.payload !== "object" || asked.payload === null) return null;
    const { plainToken } = asked.payload as Record<string, unknown>;
    if (typeof plainToken !== "string" || !TOKEN.test(plainToken)) return null;
    return asJson({ plainToken, encryptedToken: createHmac("sha256", secret).update(plainToken).digest("hex") });
  },
};

/** Made of the app's secret, so that there is nothing more to keep; who learns it gets challenges echoed, and no more. */
export const verifyTokenOf = (secret: string): string =>
  createHmac("sha256", secret).update("signalbox verify token").digest("hex").slice(0, 40);

/** Meta's: echoed to who knows the verify token. developers.facebook.com/docs/graph-api/webhooks/getting-started */
export const metaChallenge: Challenge = {
  asked: "get",
  answer({ query }, secret) {
    const given = Buffer.from(one(query, "hub.verify_token"));
    const expected = Buffer.from(verifyTokenOf(secret));
    if (one(query, "hub.mode") !== "subscribe" || given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
    return asText(one(query, "hub.challenge"));
  },
};

/**
 * X's challenge-response check: anybody may ask for the HMAC of a text, made with the key that signs events, so nothing is
 * answered that could be an event. docs.x.com/x-api/webhooks/quickstart
 */
export const xChallenge: Challenge = {
  asked: "get",
  answer({ query }, secret) {
    const token = one(query, "crc_token");
    if (!TOKEN.test(token)) return null;
    return asJson({ response_token: `sha256=${createHmac("sha256", secret).update(token).digest("base64")}` });
  },
};

/** Dropbox's: echoed to anybody, as text. dropbox.com/developers/reference/webhooks */
export const dropboxChallenge: Challenge = { asked: "get", answer: ({ query }) => asText(one(query, "challenge")) };

/** Microsoft Graph's: echoed to anybody, as text. learn.microsoft.com/graph/change-notifications-delivery-webhooks */
export const graphChallenge: Challenge = { asked: "post", answer: ({ query }) => asText(one(query, "validationToken")) };
