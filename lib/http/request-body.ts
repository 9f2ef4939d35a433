import { Readable } from "node:stream";
import { once } from "#lib/context/once";
import { AppError } from "#lib/contracts/api/app-error";
import { inTime } from "#lib/time/waits";

const MIB = 1_048_576;
const BODY_TIMEOUT_MS = 10_000;

/** Returns the process's bounds. Route handlers have their own: they read again what the server has read. */
export function bodyIntake(reader: "server" | "handlers"): BoundedBodyReader {
  const create = () => new BoundedBodyReader({ maxBytes: 32 * MIB, timeoutMs: BODY_TIMEOUT_MS });
  return once("request-bodies", () => ({ server: create(), handlers: create() }))[reader];
}

/** Reads a UTF-8 body within its path's limit. Throws AppError. Route handlers read by this only: under plain Next it is the only bound. */
export async function bodyTextOf(request: Request): Promise<string> {
  const maxBytes = bodyLimitOf(new URL(request.url).pathname);
  const limits = { maxBytes, contentLength: announcedLength(request.headers.get("content-length")) };
  const body = await bodyIntake("handlers").read(request.body, limits, async (reading) => reading);
  if (typeof body === "string") throw bodyError(body, maxBytes);
  return new TextDecoder().decode(body);
}

export function bodyError(reading: Exclude<BodyReading, Uint8Array>, maxBytes: number): AppError {
  switch (reading) {
    case "too_large":
      return new AppError("too_large", `Send at most ${maxBytes / 1024} KB.`);
    case "too_slow":
      return new AppError("too_slow", `Send the whole body within ${BODY_TIMEOUT_MS / 1000} seconds.`);
    case "overloaded":
      return new AppError("overloaded", "Too many requests with a body are in progress. Send it again in a few seconds.");
    case "aborted":
      return new AppError("invalid_request", "The connection ended before the whole body arrived.");
  }
}

const KIB = 1024;

/** Bytes of a request that is not a webhook, unless its route is listed below. */
export const BODY_BYTES = 64 * KIB;

const LARGER: Readonly<Record<string, number>> = {
  // 1,000 event IDs of up to 400 characters (lib/contracts/redeliveries.ts).
  "/api/v1/redeliveries": 512 * KIB,
  // A body of 64 KiB in base64, or with every character escaped in JSON.
  "/api/v1/signature-checks": 416 * KIB,
  // A simulated event's payload, as large as a webhook may be by default.
  "/sandbox/api/events": 1024 * KIB,
};

/** A body sent to the receiving app is as large as a received one may be by default. */
const RECEIVING_APP = /^\/sandbox\/receiving-app\/[^/]+$/;

/** Returns the bytes that a path's body may have. The web process rejects more; so do the routes' own readers, if they run without it. */
export function bodyLimitOf(pathname: string): number {
  const path = pathname.replace(/\/+$/, "");
  return LARGER[path] ?? (RECEIVING_APP.test(path) ? 1024 * KIB : BODY_BYTES);
}

/** A body, or why there is none. `overloaded`: too many bodies are being read. `aborted`: the sender disconnected. */
export type BodyReading = Uint8Array | "too_large" | "overloaded" | "too_slow" | "aborted";

type IntakeLimits = {
  /** Of all bodies in progress together, from their first byte to their answer. */
  maxBytes: number;
  timeoutMs: number;
};

/** Memory of a request without its body: socket, headers, promises. Also bounds the number of requests in progress. */
const OVERHEAD_BYTES = 8192;

/** Memory never grows with the number of senders or with slow ones. Bytes count on arrival: an announced megabyte takes no space. */
export class BoundedBodyReader {
  private readonly limits: IntakeLimits;
  private bytesInHand = 0;

  constructor(limits: IntakeLimits) {
    this.limits = limits;
  }

  /** Reads one body and passes it to `use`; its space is free when `use` is done. `maxBytes` is inclusive. */
  async read<T>(
    stream: BodyStream | null | undefined,
    { maxBytes, contentLength }: { maxBytes: number; contentLength: number | null },
    use: (body: BodyReading) => Promise<T>,
  ): Promise<T> {
    if (this.bytesInHand + OVERHEAD_BYTES > this.limits.maxBytes) return use("overloaded");
    let mine = OVERHEAD_BYTES;
    this.bytesInHand += mine;
    let inHand = true;
    const claim = (bytes: number) => {
      // Further bytes of a body that took too long are not counted: their space would never be freed.
      if (!inHand || this.bytesInHand + bytes > this.limits.maxBytes) return false;
      mine += bytes;
      this.bytesInHand += bytes;
      return true;
    };
    try {
      return await use(
        await inTime(readCapped(stream, { maxBytes, contentLength, claim }), this.limits.timeoutMs, () => "too_slow" as const),
      );
    } finally {
      inHand = false;
      this.bytesInHand -= mine;
    }
  }
}

type CappedBody = Uint8Array | "too_large" | "overloaded" | "aborted";

type ReadOptions = {
  maxBytes: number;
  /** If the announced length is above the cap, nothing is read. */
  contentLength: number | null;
  /** Claims space for more bytes; false if there is none. */
  claim: (bytes: number) => boolean;
};

/** Node's request, or the stream of a route handler. */
type BodyStream = Readable | AsyncIterable<Uint8Array>;

/** Reads up to the cap; a Node stream stays open for the answer. "aborted": the sender disconnected. */
async function readCapped(stream: BodyStream | null | undefined, { maxBytes, contentLength, claim }: ReadOptions): Promise<CappedBody> {
  if (contentLength !== null && contentLength > maxBytes) return "too_large";
  if (!stream) return new Uint8Array();
  const body = new Chunks(maxBytes, claim);
  return stream instanceof Readable ? readNodeStream(stream, body) : readIterable(stream, body);
}

class Chunks {
  private readonly chunks: Uint8Array[] = [];
  private length = 0;
  private readonly maxBytes: number;
  private readonly claim: (bytes: number) => boolean;

  constructor(maxBytes: number, claim: (bytes: number) => boolean) {
    this.maxBytes = maxBytes;
    this.claim = claim;
  }

  add(chunk: Uint8Array): "too_large" | "overloaded" | null {
    this.length += chunk.length;
    if (this.length > this.maxBytes) return "too_large";
    if (!this.claim(chunk.length)) return "overloaded";
    this.chunks.push(chunk);
    return null;
  }

  whole(): Uint8Array {
    const [first] = this.chunks;
    return this.chunks.length === 1 && first ? first : Buffer.concat(this.chunks, this.length);
  }
}

async function readIterable(stream: AsyncIterable<Uint8Array>, body: Chunks): Promise<CappedBody> {
  try {
    for await (const chunk of stream) {
      const stop = body.add(chunk);
      if (stop !== null) return stop;
    }
  } catch {
    return "aborted";
  }
  return body.whole();
}

/** Reads by the stream's events: iterating costs as much as everything else the receiver does with a request, except the signature. */
function readNodeStream(stream: Readable, body: Chunks): Promise<CappedBody> {
  return new Promise((resolve) => {
    if (stream.destroyed && !stream.readableEnded) return resolve("aborted");
    const onData = (chunk: Uint8Array) => {
      const stop = body.add(chunk);
      if (stop === null) return;
      stream.off("data", onData).pause();
      resolve(stop);
    };
    const onAborted = () => resolve("aborted"); // after the end it changes nothing
    stream
      .once("end", () => resolve(body.whole()))
      .once("close", onAborted)
      .on("error", onAborted)
      .on("data", onData);
  });
}

export function announcedLength(header: string | null | undefined): number | null {
  return header && /^\d{1,15}$/.test(header) ? Number(header) : null;
}
