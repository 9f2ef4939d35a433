import http from "node:http";
import https from "node:https";
import type { Socket } from "node:net";
import { hostname } from "node:os";
import { LOCAL_BODY_LENGTH, type ReportedDelivery } from "../../../lib/contracts/events/listeners.ts";
import { type Api, ApiFailure, networkCause } from "./api-client.ts";
import { usageError } from "./exit.ts";
import type { Request, SigningOptions } from "./requests.ts";
import { isNumberAsHost } from "./settings.ts";
import type { Output } from "./terminal.ts";

export type ListenOptions = SigningOptions & {
  type?: string[];
  source?: string;
  filter?: string;
  since?: string;
  catchUp?: "send" | "skip";
  maxOffline?: string;
  concurrency: string;
  timeout: string;
  name?: string;
};

export type ReplayOptions = SigningOptions & {
  to: string[];
  also?: string;
  ignore?: string[];
  junit?: string;
  rate: string;
  concurrency: string;
  timeout: string;
  limit: string;
  report: boolean;
};

/** Accepts `4000`, `localhost:4000/hooks` or a full URL. */
export function targetUrl(text: string): URL {
  const isPort = /^\d+$/.test(text);
  const full = isPort ? `http://localhost:${text}/` : /^https?:\/\//i.test(text) ? text : `http://${text}`;
  if (!URL.canParse(full) || (!isPort && isNumberAsHost(text)))
    throw usageError(`"${text}" is neither a port nor a URL.`, "Write 4000, localhost:4000/webhooks or https://staging.example");
  return new URL(full);
}

/** Returns the URL without credentials and query, for display. */
export const shownUrl = (url: URL): string => `${url.origin}${url.pathname}`;

export function countOf(text: string, flag: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1 || count > 10_000)
    throw usageError(`${flag} must be a whole number from 1 to 10,000, not "${text}".`);
  return count;
}

/** `refused`: never connected, so the app has not seen it. `broken`: ended or timed out; the app may have seen it. Milliseconds. */
export type Sent =
  | { outcome: "answered"; status: number; body: Buffer; contentType: string; durationMs: number }
  | { outcome: "refused" | "broken"; error: string; durationMs: number };

export type Sender = { send: (request: Request) => Promise<Sent>; close: () => void };

/** Most bytes read of a response. */
const MAX_BODY = 1_048_576;

/** Sends webhooks to one URL over connections that are kept open. Redirects are not followed. */
export function openSender(url: URL, { concurrency, timeoutMs }: { concurrency: number; timeoutMs: number }): Sender {
  const library = url.protocol === "https:" ? https : http;
  const agent = new library.Agent({ keepAlive: true, maxSockets: concurrency, scheduling: "lifo" });
  const auth = url.username ? `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}` : undefined;
  /** Established connections, including TLS: only over these can the app have seen anything. */
  const standing = new WeakSet<Socket>();
  let closed = false;
  const once = ({ body, headers, url: signedUrl }: Request): Promise<Sent & { stale?: boolean }> =>
    new Promise((resolve) => {
      const since = performance.now();
      const elapsed = () => Math.round(performance.now() - since);
      const options = { method: "POST", agent, headers: { ...headers, "content-length": body.length }, ...(auth && { auth }) };
      const request = library.request(signedUrl ?? url, options);
      const timer = setTimeout(() => request.destroy(new Error(`no response within ${timeoutMs / 1000} s`)), timeoutMs);
      request.once("socket", (socket) => {
        if (!standing.has(socket)) socket.once(url.protocol === "https:" ? "secureConnect" : "connect", () => standing.add(socket));
      });
      const fail = (error: NodeJS.ErrnoException) => {
        clearTimeout(timer);
        const code = error.code ?? (error as { errors?: NodeJS.ErrnoException[] }).errors?.[0]?.code ?? "";
        const outcome = request.socket && standing.has(request.socket) ? "broken" : "refused";
        const stale = request.reusedSocket && !closed && (code === "ECONNRESET" || code === "EPIPE");
        resolve({ outcome, error: networkCause(Object.assign(error, { code })), durationMs: elapsed(), stale });
      };
      request.once("error", fail);
      request.once("response", (response) => {
        const chunks: Buffer[] = [];
        let size = 0;
        response.on("data", (chunk: Buffer) => {
          if (size < MAX_BODY) chunks.push(chunk);
          size += chunk.length;
        });
        response.once("error", fail);
        response.once("end", () => {
          clearTimeout(timer);
          const contentType = response.headers["content-type"] ?? "";
          const status = response.statusCode ?? 0;
          resolve({ outcome: "answered", status, body: Buffer.concat(chunks).subarray(0, MAX_BODY), contentType, durationMs: elapsed() });
        });
      });
      request.end(body);
    });
  const send = async (request: Request): Promise<Sent> => {
    const sent = await once(request);
    // The app may close a kept connection just as we use it (RFC 9110 section 9.2.2 leaves a repeat to us).
    return sent.outcome === "broken" && sent.stale ? once(request) : sent;
  };
  const close = () => {
    closed = true;
    agent.destroy();
  };
  return { send, close };
}

const BATCH = 100;
/** The route accepts 64 KiB. */
const BATCH_BYTES = 60_000;
const EVERY_MS = 1000;
/** Responses held while Signalbox is unreachable; older ones are dropped: they are a convenience, not the events. */
const MAX_HELD = 5000;

export type Reporter = { report: (delivery: ReportedDelivery) => void; close: () => Promise<void> };

/** Reports the local app's responses to Signalbox in batches. Never keeps an event from being sent. */
export function openReporter(api: Api, output: Output): Reporter {
  const held: ReportedDelivery[] = [];
  let off = false;
  let sending: Promise<void> | null = null;
  const flush = async () => {
    while (held.length > 0 && !off) {
      const batch = held.slice(0, batchLength(held));
      try {
        await api.post("/api/v1/local-deliveries", { deliveries: batch });
      } catch (error) {
        // Without a connection they wait for the next time.
        if (!(error instanceof ApiFailure) || error.status >= 500 || error.status === 429) return;
        off = true;
        output.warn(`The app's responses will not be shown in Signalbox: ${error.message}`);
      }
      held.splice(0, batch.length);
    }
  };
  const start = () => {
    sending ??= flush().finally(() => {
      sending = null;
    });
    return sending;
  };
  const timer = setInterval(() => void start(), EVERY_MS);
  return {
    report: (delivery) => {
      if (off) return;
      held.push(delivery);
      if (held.length > MAX_HELD) held.splice(0, held.length - MAX_HELD);
      if (held.length >= BATCH) void start();
    },
    close: async () => {
      clearInterval(timer);
      await start();
      await start();
    },
  };
}

function batchLength(held: ReportedDelivery[]): number {
  let bytes = '{"deliveries":[]}'.length;
  const end = held.slice(0, BATCH).findIndex((delivery, at) => {
    bytes += Buffer.byteLength(JSON.stringify(delivery)) + 1;
    return at > 0 && bytes > BATCH_BYTES;
  });
  return end < 0 ? BATCH : end;
}

export const answerReport = (sent: Sent): Pick<ReportedDelivery, "status" | "error" | "durationMs" | "body"> => ({
  status: sent.outcome === "answered" && sent.status >= 100 && sent.status <= 599 ? sent.status : null,
  error: sent.outcome === "answered" ? null : sent.error.slice(0, 500),
  durationMs: Math.min(sent.durationMs, 86_400_000),
  body: sent.outcome === "answered" ? textOf(sent.body) : null,
});

export const machineName = (): string => hostname().slice(0, 100) || "a computer";

/** Returns the beginning of a response as text that the API accepts: without NUL and unpaired surrogates. */
const textOf = (body: Buffer): string =>
  body
    .subarray(0, 4 * LOCAL_BODY_LENGTH)
    .toString("utf8")
    .replaceAll("\u0000", "\ufffd")
    .slice(0, LOCAL_BODY_LENGTH)
    .toWellFormed();
