import { createHmac, timingSafeEqual } from "node:crypto";
import { parseJson } from "#lib/platform/payload";

export type ChallengeRequest = { query: string; body: Uint8Array };

/** Text as the sender expects it, or a sender's URL that a worker visits, never while the sender waits. */
export type ChallengeAnswer = TextAnswer | { visit: string };
export type TextAnswer = { contentType: "text/plain; charset=utf-8" | "application/json"; body: string };

/** A sender's question whether a URL listens. Nothing of it is kept. */
export type Challenge = {
  /** `signed`: a POST signed like its events, answered after it has verified. The others have no proof. */
  asked: "get" | "post" | "signed";
  /** Null if the request is no challenge, or can't be answered safely. */
  answer: (request: ChallengeRequest, secret: string) => ChallengeAnswer | null;
};

/** Printable ASCII, and no more than a challenge needs: an answer is never a page. */
const ANSWERABLE = /^[\x20-\x7e]{1,512}$/;
/** No event has this form: it would be an object, a list or a form with a value. */
const TOKEN = /^[A-Za-z0-9+/_-]{1,512}={0,2}$/;

const asText = (text: string): TextAnswer | null =>
  ANSWERABLE.test(text) ? { contentType: "text/plain; charset=utf-8", body: text } : null;
const asJson = (value: unknown): TextAnswer => ({ contentType: "application/json", body: JSON.stringify(value) });
const one = (query: string, name: string): string => {
  const all = new URLSearchParams(query).getAll(name);
  return all.length === 1 ? (all[0] ?? "") : "";
};

function objectIn(body: Uint8Array): Record<string, unknown> | null {
  const json = body.length <= 4096 ? parseJson(body) : null;
  return json?.ok && typeof json.value === "object" && json.value !== null ? (json.value as Record<string, unknown>) : null;
}

/** `url_verification`: docs.slack.dev/reference/events/url_verification */
export const slackChallenge: Challenge = {
  asked: "signed",
  answer({ body }) {
    const asked = objectIn(body);
    return asked?.type === "url_verification" && typeof asked.challenge === "string" ? asText(asked.challenge) : null;
  },
};

/** `endpoint.url_validation`: developers.zoom.us/docs/api/webhooks/ */
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

/** Derived from the app's secret, so that nothing more is stored; knowing it only gets challenges echoed. */
export const verifyTokenOf = (secret: string): string =>
  createHmac("sha256", secret).update("signalbox verify token").digest("hex").slice(0, 40);

/** Needs the verify token: developers.facebook.com/docs/graph-api/webhooks/getting-started */
export const metaChallenge: Challenge = {
  asked: "get",
  answer({ query }, secret) {
    const given = Buffer.from(one(query, "hub.verify_token"));
    const expected = Buffer.from(verifyTokenOf(secret));
    if (one(query, "hub.mode") !== "subscribe" || given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
    return asText(one(query, "hub.challenge"));
  },
};

/** Anyone may ask: nothing is signed that could be an event, since the key is the same. docs.x.com/x-api/webhooks/quickstart */
export const xChallenge: Challenge = {
  asked: "get",
  answer({ query }, secret) {
    const token = one(query, "crc_token");
    if (!TOKEN.test(token)) return null;
    return asJson({ response_token: `sha256=${createHmac("sha256", secret).update(token).digest("base64")}` });
  },
};

/** Echoed to anyone, as text: dropbox.com/developers/reference/webhooks */
export const dropboxChallenge: Challenge = { asked: "get", answer: ({ query }) => asText(one(query, "challenge")) };

/** Echoed to anyone, as text: learn.microsoft.com/graph/change-notifications-delivery-webhooks */
export const graphChallenge: Challenge = { asked: "post", answer: ({ query }) => asText(one(query, "validationToken")) };
