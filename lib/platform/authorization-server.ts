import type { CustomFetchOptions } from "oauth4webapi";
import * as oauth from "oauth4webapi";
import { request } from "undici";
import { env } from "#lib/config/env";
import type { PlatformSettings } from "#lib/config/platform-settings";
import { once } from "#lib/context/once";
import { agent } from "#lib/http/informational-responses";
import { type Clock, systemClock } from "#lib/time/clock";
import { decodeBody } from "./content-coding.ts";

/** Where the platform is asked, and how: what is set wins, the rest is from the issuer's metadata if that is asked for. */
export type PlatformServer = {
  /** Expected `iss` of the callback; null: not checked. */
  issuer: string | null;
  /** True if a callback without `iss` is rejected (RFC 9207 section 2.4). */
  demandsIss: boolean;
  authorizeUrl: string;
  tokenEndpoint: string;
  refreshUrl: string;
  revocationUrl: string | null;
  tokenAuth: "body" | "basic";
  tokenBody: "json" | "form";
  pkce: "off" | "S256";
};

/** The message is a sentence for people; it names the issuer's URL and never what was answered. */
export class DiscoveryError extends Error {
  override name = "DiscoveryError";
}

/** True if an address is missing that the metadata of PLATFORM_ISSUER names (RFC 8414). */
export const isDiscovered = (): boolean => env().platform.authorizeUrl === null || env().platform.tokenEndpoint === null;

/** Waits for the metadata at most 5 s. @throws DiscoveryError */
export async function findPlatformServer(clock = systemClock): Promise<PlatformServer> {
  const { PLATFORM_ISSUER, PLATFORM_TOKEN_AUTH, PLATFORM_TOKEN_BODY, PLATFORM_PKCE, platform } = env();
  const metadata = isDiscovered() && PLATFORM_ISSUER ? await readMetadata(PLATFORM_ISSUER, clock) : null;
  const tokenEndpoint = platform.tokenEndpoint ?? endpointOf(metadata, "token_endpoint");
  return {
    issuer: metadata?.issuer ?? PLATFORM_ISSUER ?? null,
    demandsIss: metadata ? metadata.authorization_response_iss_parameter_supported === true : PLATFORM_ISSUER !== undefined,
    authorizeUrl: platform.authorizeUrl ?? endpointOf(metadata, "authorization_endpoint"),
    tokenEndpoint,
    refreshUrl: platform.refreshUrl ?? tokenEndpoint,
    revocationUrl: revocationUrlOf(metadata),
    tokenAuth: PLATFORM_TOKEN_AUTH ?? (metadata ? authOf(metadata) : "body"),
    // A server that publishes metadata follows RFC 6749, whose requests are forms.
    tokenBody: PLATFORM_TOKEN_BODY ?? (metadata ? "form" : "json"),
    pkce: PLATFORM_PKCE ?? (metadata?.code_challenge_methods_supported?.includes("S256") ? "S256" : "off"),
  };
}

/** Returns the addresses as far as the settings name them, and asks nobody. */
export function addressesOf({ authorizeUrl, tokenEndpoint }: PlatformSettings): { authorization: string; tokens: string } {
  const words = (address: string | null) => (address === null ? `By the metadata of ${env().PLATFORM_ISSUER}` : withoutQuery(address));
  return { authorization: words(authorizeUrl), tokens: words(tokenEndpoint) };
}

/** A query may hold a key. */
export function withoutQuery(address: string): string {
  const { origin, pathname } = new URL(address);
  return `${origin}${pathname}`;
}

/** True if a revocation can be asked for. While the metadata has not been read, it counts as naming an endpoint. */
export function mayRevoke(): boolean {
  const { PLATFORM_ISSUER, PLATFORM_REVOKE_URL, platform } = env();
  if (PLATFORM_REVOKE_URL || platform.isSandbox) return true;
  const known = isDiscovered() && PLATFORM_ISSUER ? memory().get(PLATFORM_ISSUER) : null;
  return known !== null && (known?.metadata === undefined || revocationUrlOf(known.metadata) !== null);
}

function revocationUrlOf(metadata: oauth.AuthorizationServer | null): string | null {
  const { PLATFORM_REVOKE_URL, APP_URL, platform } = env();
  const sandbox = platform.isSandbox ? `${APP_URL}/sandbox/oauth/revoke` : null;
  return PLATFORM_REVOKE_URL ?? sandbox ?? (metadata?.revocation_endpoint ? endpointOf(metadata, "revocation_endpoint") : null);
}

/** Unnamed methods are Basic alone (RFC 8414 section 2). */
function authOf({ token_endpoint_auth_methods_supported: methods = ["client_secret_basic"] }: oauth.AuthorizationServer): "body" | "basic" {
  return methods.includes("client_secret_basic") && !methods.includes("client_secret_post") ? "basic" : "body";
}

type EndpointName = "authorization_endpoint" | "token_endpoint" | "revocation_endpoint";

function endpointOf(metadata: oauth.AuthorizationServer | null, name: EndpointName): string {
  const url = URL.parse(metadata?.[name] ?? "");
  const secret = metadata?.issuer.startsWith("https:");
  const usable = url && (url.protocol === "https:" || (url.protocol === "http:" && !secret)) && url.hash === "" && url.username === "";
  if (usable) return url.href;
  throw new DiscoveryError(`The metadata of PLATFORM_ISSUER names no usable ${name}. ${INSTEAD}`);
}

const INSTEAD = "Check PLATFORM_ISSUER, or set PLATFORM_AUTHORIZE_URL and PLATFORM_TOKEN_ENDPOINT.";

/** `until`: by the clock's `elapsed`. `metadata`: the last that could be read. */
type Remembered = { answer: Promise<oauth.AuthorizationServer>; until: number; metadata?: oauth.AuthorizationServer };

const memory = () => once("platform-metadata", () => new Map<string, Remembered>());

const KEPT_MS = 3_600_000;
const FAILED_MS = 10_000;

/** Callers share one request. What was read before is used on while it can't be read again. */
function readMetadata(issuer: string, clock: Clock): Promise<oauth.AuthorizationServer> {
  const before = memory().get(issuer);
  if (before && clock.elapsed() < before.until) return before.answer;
  const asked = discover(issuer);
  const earlier = before?.metadata;
  const answer = earlier ? asked.catch(() => earlier) : asked;
  const remembered: Remembered = { answer, until: Number.POSITIVE_INFINITY, ...(earlier && { metadata: earlier }) };
  memory().set(issuer, remembered);
  asked.then(
    (metadata) => Object.assign(remembered, { metadata, until: clock.elapsed() + KEPT_MS }),
    () => Object.assign(remembered, { until: clock.elapsed() + FAILED_MS }),
  );
  return answer;
}

/** RFC 8414 section 3, or else OpenID Connect's place, which section 5 allows for. */
async function discover(issuer: string): Promise<oauth.AuthorizationServer> {
  const signal = AbortSignal.timeout(5000);
  const first = await ask(issuer, "oauth2", signal);
  if (first.status === 200) return read(issuer, first);
  const second = await ask(issuer, "oidc", signal).catch(() => first);
  if (second.status === 200) return read(issuer, second);
  throw new DiscoveryError(`${unreadable(issuer)}: it answered ${first.status}. ${INSTEAD}`);
}

async function ask(issuer: string, algorithm: "oauth2" | "oidc", signal: AbortSignal): Promise<Response> {
  try {
    const options = { algorithm, signal, [oauth.allowInsecureRequests]: true, [oauth.customFetch]: getMetadata };
    return await oauth.discoveryRequest(new URL(issuer), options);
  } catch (error) {
    const why = error instanceof TransportError && error.kind === "too_large" ? "the answer is too large" : "it did not answer";
    throw new DiscoveryError(`${unreadable(issuer)}: ${why}. Try again in a minute. ${INSTEAD}`);
  }
}

async function read(issuer: string, answer: Response): Promise<oauth.AuthorizationServer> {
  try {
    return await oauth.processDiscoveryResponse(new URL(issuer), answer);
  } catch (error) {
    const other = (error as { code?: unknown }).code === oauth.JSON_ATTRIBUTE_COMPARISON;
    const why = other ? "it names another issuer" : "the answer is not the metadata of an authorization server";
    throw new DiscoveryError(`${unreadable(issuer)}: ${why}. ${INSTEAD}`);
  }
}

const unreadable = (issuer: string) => `The metadata of the platform could not be read from ${issuer} (RFC 8414)`;

/** Long: a platform may have rotated the refresh token when this gives up. A stop waits a little longer (`STOP_LIMITS.token`). */
const TIMEOUT_MS = 9000;
const MAX_ANSWER_BYTES = 65_536;

/** `what` is one word for logs and cards, never a URL or a body. */
export class TransportError extends Error {
  override name = "TransportError";
  readonly kind: "unreachable" | "too_large";

  constructor(kind: "unreachable" | "too_large", what: string) {
    super(what);
    this.kind = kind;
  }
}

type Body = "json" | "form";

/** Posts a token request. `json`: docs/platform.md, "Token request body fields". */
export function platformFetch(body: Body) {
  return (url: string, options: CustomFetchOptions<"POST", URLSearchParams>): Promise<Response> => {
    const headers = { ...options.headers, ...(body === "json" && { "content-type": "application/json" }) };
    return send(url, { method: "POST", headers, body: encode(options.body, body) }, options.signal);
  };
}

export const getMetadata = (url: string, { headers, signal }: CustomFetchOptions<"GET", undefined>): Promise<Response> =>
  send(url, { method: "GET", headers }, signal);

type Sent = { method: "GET" | "POST"; headers: Record<string, string>; body?: string };

/**
 * Uses undici (Next patches fetch), follows no redirect, throws TransportError. Asks for no content coding, but reads one: an unreadable
 * answer would lose the tokens that it rotated (RFC 9110 section 12.5.3).
 */
async function send(url: string, { headers, ...sent }: Sent, given: AbortSignal | undefined): Promise<Response> {
  const signal = AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), ...(given ? [given] : [])]);
  try {
    const answer = await request(url, { ...sent, headers: { ...headers, "accept-encoding": "identity" }, signal, dispatcher: agent });
    const text = decode(await readCapped(answer.body), answer.headers["content-encoding"]).toString("utf8");
    const kept = KEPT_HEADERS.flatMap((name) => [answer.headers[name] ?? []].flat().map((value): [string, string] => [name, value]));
    return new Response([204, 205, 304].includes(answer.statusCode) ? null : text, { status: answer.statusCode, headers: kept });
  } catch (error) {
    throw error instanceof TransportError ? error : new TransportError("unreachable", reasonOf(error));
  }
}

const KEPT_HEADERS = ["content-type", "retry-after", "date", "www-authenticate"];

const encode = (fields: URLSearchParams, body: Body) => (body === "json" ? JSON.stringify(Object.fromEntries(fields)) : fields.toString());

async function readCapped(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > MAX_ANSWER_BYTES) throw new TransportError("too_large", "answer_too_large"); // leaving the loop ends the request
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Reads it as it is where it can't be decoded: that text is no JSON, or its header is wrong. */
function decode(coded: Buffer, encoding: string | string[] | undefined): Buffer {
  const decoded = decodeBody(coded, encoding, MAX_ANSWER_BYTES);
  if (decoded?.ok === false && decoded.why === "too_large") throw new TransportError("too_large", "answer_too_large");
  return decoded?.ok ? Buffer.from(decoded.body) : coded;
}

function reasonOf(error: unknown): string {
  const { name, code } = error as { name?: string; code?: unknown };
  return name === "TimeoutError" ? "timeout" : typeof code === "string" ? code : "no_answer";
}
