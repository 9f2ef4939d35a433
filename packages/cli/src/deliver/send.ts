import http from "node:http";
import https from "node:https";
import type { Socket } from "node:net";
import { networkCause } from "../api/explain.ts";

export type Request = { body: Buffer; headers: Record<string, string> };

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
  const once = ({ body, headers }: Request): Promise<Sent & { stale?: boolean }> =>
    new Promise((resolve) => {
      const since = performance.now();
      const elapsed = () => Math.round(performance.now() - since);
      const options = { method: "POST", agent, headers: { ...headers, "content-length": body.length }, ...(auth && { auth }) };
      const request = library.request(url, options);
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
