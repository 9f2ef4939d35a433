import { Client } from "undici";
import type { AttemptOutcome } from "#lib/contracts/forwarding/deliveries";
import { withoutInformational } from "#lib/http/informational-responses";
import { retryAfterMs } from "#lib/http/retry-after";
import type { Resolve, TargetUrl } from "../check-target.ts";
import { type CheckedSocket, openCheckedSocket } from "../checked-socket.ts";
import { ForwardError, forwardErrorOf, outcomeOfStatus } from "./outcomes.ts";

export type AttemptResult = {
  at: Date;
  outcome: AttemptOutcome;
  detail: string;
  requestHeaders: Record<string, string>;
  answer: Answer | null;
  /** Wait that the answer asked for, in milliseconds. */
  retryAfterMs: number | null;
  totalMs: number;
};

export type AttemptRequest = { path: string; headers: Record<string, string>; body: Uint8Array };

/** Sends once. Every failure is an outcome, never thrown; null when `signal` aborts, because the outcome is unknown. */
export async function sendAttempt(
  connection: TargetConnection,
  { path, headers, body }: AttemptRequest,
  at: Date,
  signal: AbortSignal,
): Promise<AttemptResult | null> {
  const since = performance.now();
  const result = (outcome: AttemptOutcome, detail: string, answer: Answer | null): AttemptResult => ({
    at,
    outcome,
    detail,
    requestHeaders: headers,
    answer,
    retryAfterMs: answer && retryAfterMs(one(answer, "retry-after"), one(answer, "date"), at),
    totalMs: Math.round(performance.now() - since),
  });
  try {
    const answer = await connection.post(path, headers, body, signal);
    const { outcome, detail } = outcomeOfStatus(answer.status, one(answer, "location"));
    return result(outcome, detail, answer);
  } catch (error) {
    if (signal.aborted) return null;
    const failure: ForwardError = forwardErrorOf(error);
    return result(failure.outcome, failure.message, null);
  }
}

function one({ headers }: Answer, name: string): string | null {
  const value = headers[name];
  return (Array.isArray(value) ? value[0] : value) ?? null;
}

/** From the beginning of an attempt to the answer's headers. Milliseconds. */
const ATTEMPT_TIMEOUT_MS = 15_000;
/** An answer's body is only for display: it is waited for no longer than this. Milliseconds. */
const BODY_TIMEOUT_MS = 2000;
const KEPT_BODY_BYTES = 16_384;
const MAX_HEADER_BYTES = 16_384;
const IDLE_MS = 10_000;
/** A connection in constant use is replaced after this, so that a DNS change takes effect. Milliseconds. */
const MAX_AGE_MS = 30_000;

/** Times in milliseconds; those of the connection are null when an open one was used again. */
type Answer = {
  status: number;
  headers: Record<string, string | string[]>;
  body: Buffer;
  remoteAddress: string | null;
  dnsMs: number | null;
  connectMs: number | null;
  tlsMs: number | null;
  firstByteMs: number;
};

type SentRequest = { path: string; method: "GET" | "POST"; headers: Record<string, string>; body?: Uint8Array };

/** A keep-alive connection that sends one request at a time; a destination's concurrency is the number of its connections. */
export class TargetConnection {
  private readonly client: Client;
  private opened: CheckedSocket | null = null;
  private openedAt = Number.POSITIVE_INFINITY;
  private openings = 0;
  private readonly timeoutMs: number;
  private readonly maxAgeMs: number;

  /** @param maxAgeMs the first request after this is the last of its connection */
  constructor(target: TargetUrl, resolve?: Resolve, { timeoutMs = ATTEMPT_TIMEOUT_MS, maxAgeMs = MAX_AGE_MS } = {}) {
    this.timeoutMs = timeoutMs;
    this.maxAgeMs = maxAgeMs;
    this.client = new Client(target.origin, {
      pipelining: 1,
      allowH2: false,
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: 0, // an attempt has one time limit, below
      bodyTimeout: 0,
      keepAliveTimeout: IDLE_MS,
      keepAliveMaxTimeout: 4 * IDLE_MS,
      connect: (_options, callback) => {
        this.openings += 1;
        openCheckedSocket(target.href, resolve).then(
          (opened) => {
            this.opened = opened;
            this.openedAt = performance.now();
            callback(null, withoutInformational(opened.socket));
          },
          (error: Error) => callback(error, null),
        );
      },
    });
  }

  /** Sends a request. A kept connection that the target has closed meanwhile is replaced once. @throws ForwardError */
  async post(path: string, headers: Record<string, string>, body: Uint8Array, signal: AbortSignal): Promise<Answer> {
    const used = this.openings;
    const request = { path, method: "POST", headers, body } as const;
    try {
      return await this.sendOnce(request, signal);
    } catch (error) {
      const wasKept = used > 0 && this.openings === used;
      if (!wasKept || !(error instanceof ForwardError) || error.outcome !== "connection_reset" || signal.aborted) throw error;
      return this.sendOnce(request, signal);
    }
  }

  get(path: string, headers: Record<string, string>, signal: AbortSignal): Promise<Answer> {
    return this.sendOnce({ path, method: "GET", headers }, signal);
  }

  private async sendOnce(request: SentRequest, stop: AbortSignal): Promise<Answer> {
    const since = performance.now();
    const before = this.openings;
    // Not AbortSignal.any: its dependents on the one signal that all attempts share are only released by the garbage collector.
    const ending = new AbortController();
    const end = () => ending.abort();
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      end();
    }, this.timeoutMs);
    stop.addEventListener("abort", end, { once: true });
    if (stop.aborted) end();
    try {
      const reset = since - this.openedAt > this.maxAgeMs;
      const answer = await this.client.request({ ...request, reset, signal: ending.signal });
      const firstByteMs = Math.round(performance.now() - since);
      const fresh = this.openings > before ? this.opened : null;
      return {
        status: answer.statusCode,
        headers: answer.headers as Answer["headers"],
        body: await readSome(answer.body),
        remoteAddress: this.opened?.remoteAddress ?? null,
        dnsMs: fresh?.dnsMs ?? null,
        connectMs: fresh?.connectMs ?? null,
        tlsMs: fresh?.tlsMs ?? null,
        firstByteMs,
      };
    } catch (error) {
      if (isLate && !stop.aborted) throw new ForwardError("timeout", `No response within ${this.timeoutMs / 1000} seconds`);
      throw forwardErrorOf(error);
    } finally {
      clearTimeout(timer);
      stop.removeEventListener("abort", end);
    }
  }

  close(): void {
    void this.client.destroy().catch(() => undefined);
  }
}

/** Reads the body within the limits, then ends the connection. Never fails: the status has decided already. */
async function readSome(body: AsyncIterable<Buffer> & { destroy(): unknown }): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  const timer = setTimeout(() => body.destroy(), BODY_TIMEOUT_MS);
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > KEPT_BODY_BYTES) break; // leaving the loop destroys the body
    }
  } catch {
    // cut short, too slow, or shorter than announced
  }
  clearTimeout(timer);
  return Buffer.concat(chunks).subarray(0, KEPT_BODY_BYTES);
}
