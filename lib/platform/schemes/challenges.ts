import { createHmac, timingSafeEqual } from "node:crypto";
import { idText } from "#lib/contracts/exact-numbers";
import type { ChallengeSettings, EventAnswer } from "#lib/contracts/sources/challenge-settings";
import { valueAt } from "../field-names.ts";
import { parseJson } from "../payload.ts";

/** A request that may be a sender's question. Header names are lowercase. */
export type ChallengeRequest = {
  query: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: Uint8Array;
};

/** An answer as its sender wants it: text or JSON, never a page. */
export type SenderAnswer = { status: number; headers: Record<string, string>; body: string };

export type Asked = ChallengeSettings["asked"];

/** Derived from the source's secret, so that nothing more is stored; knowing it only gets challenges echoed. */
export const verifyTokenOf = (secret: string): string =>
  createHmac("sha256", secret).update("signalbox verify token").digest("hex").slice(0, 40);

/** Printable ASCII: an answer is never a page. */
const ANSWERABLE = /^[\x20-\x7e]+$/;
/** What an HMAC is made of for anyone who asks. No body that is taken has this form: that is an object or a list. */
const TOKEN = /^[A-Za-z0-9+/_-]+={0,2}$/;

/** Returns the answer; null if the request is not this challenge, or can't be answered safely. @param secret null if there is none */
export function answerTo(challenge: ChallengeSettings, request: ChallengeRequest, secret: string | null): SenderAnswer | null {
  if (!asksFor(challenge, request)) return null;
  const { verifyToken, take, maxLength, hmac, answer } = challenge;
  const find = finder(request);
  if (verifyToken !== undefined && (secret === null || !isEqual(textOf(find(verifyToken)), verifyTokenOf(secret)))) return null;
  if (take === undefined) return written(answer, "", "");
  const value = textOf(find(take));
  if (value.length > maxLength || !(hmac ? TOKEN : ANSWERABLE).test(value)) return null;
  if (hmac === undefined) return written(answer, value, "");
  return secret === null ? null : written(answer, value, createHmac(hmac.algorithm, secret).update(value).digest(hmac.encoding));
}

/** True if the request has all that the challenge needs. Says nothing about who sent it. */
export function asksFor({ when = [], take, learning }: ChallengeSettings, request: ChallengeRequest): boolean {
  const find = finder(request);
  const needed = [take, learning?.secret].filter((place) => place !== undefined);
  return (
    when.every(({ place, equals, empty }) => {
      const value = find(place);
      if (empty) return Array.isArray(value) && value.length === 0;
      return equals === undefined ? value !== undefined : textOf(value) === equals;
    }) && needed.every((place) => textOf(find(place)) !== "")
  );
}

const SECRET_LENGTH = { min: 8, max: 500 };

/** Returns the secret that a learning challenge brings; null if it can't be one. */
export function secretIn({ learning }: ChallengeSettings, request: ChallengeRequest): string | null {
  const secret = learning?.secret === undefined ? "" : textOf(finder(request)(learning.secret));
  return secret.length >= SECRET_LENGTH.min && secret.length <= SECRET_LENGTH.max && /^[\x21-\x7e]+$/.test(secret) ? secret : null;
}

/** Returns the answer to an event that was taken. What it should echo is left empty if it can't be written. */
export function answerEvent({ take, ...answer }: EventAnswer, request: ChallengeRequest): SenderAnswer {
  const value = take === undefined ? "" : textOf(finder(request)(take));
  return written(answer, value.length <= MAX_ECHO && ANSWERABLE.test(value) ? value : "", "");
}

const MAX_ECHO = 256;
/** A question is short. */
const MAX_BODY_BYTES = 4096;

/** Returns a reader of places; the body is parsed once, if a place is in there. */
function finder({ query, headers, body }: ChallengeRequest): (place: string) => unknown {
  let payload: { value: unknown } | undefined;
  return (place) => {
    if (place.startsWith("header:")) {
      const value = headers[place.slice("header:".length)];
      return typeof value === "string" ? value : undefined;
    }
    if (place.startsWith("query:")) {
      const all = new URLSearchParams(query).getAll(place.slice("query:".length));
      return all.length === 1 ? all[0] : undefined;
    }
    if (payload === undefined) {
      const json = body.length > 0 && body.length <= MAX_BODY_BYTES ? parseJson(body) : null;
      payload = { value: json?.ok ? json.value : undefined };
    }
    return valueAt(payload.value, place);
  };
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : (idText(value) ?? ""));

/** Takes the same time wherever they differ. */
export function isEqual(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one), Buffer.from(other)];
  return first.length === second.length && timingSafeEqual(first, second);
}

const SAFE = { "x-content-type-options": "nosniff", "cache-control": "no-store" };

function written({ status = 200, headers = {}, json, text, xml }: Omit<EventAnswer, "take">, value: string, hmac: string): SenderAnswer {
  const fill = (words: string) => words.replaceAll(/\{(value|hmac)\}/g, (_, name) => (name === "value" ? value : hmac));
  const filled = (all: Record<string, string>) => Object.fromEntries(Object.entries(all).map(([name, words]) => [name, fill(words)]));
  const fields = Object.entries(json ?? {}).map(([name, words]) => [name, typeof words === "string" ? fill(words) : words]);
  if (xml !== undefined) return { status, headers: { ...filled(headers), "content-type": "text/xml; charset=utf-8", ...SAFE }, body: xml };
  const type = json === undefined ? "text/plain; charset=utf-8" : "application/json";
  return {
    status,
    headers: { ...filled(headers), "content-type": type, ...SAFE },
    body: json === undefined ? fill(text ?? "") : JSON.stringify(Object.fromEntries(fields)),
  };
}

/** True if an answer holds a text that is signed with the source's secret. */
export const signsTexts = (challenges: readonly ChallengeSettings[]): boolean => challenges.some(({ hmac }) => hmac !== undefined);

/** True if strangers may have texts signed. */
export const signsForStrangers = (challenges: readonly ChallengeSettings[]): boolean =>
  signsTexts(challenges.filter(({ asked }) => asked !== "signed"));
