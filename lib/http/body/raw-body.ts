import { Readable } from "node:stream";

export type CappedBody = Uint8Array | "too_large" | "overloaded" | "aborted";

type ReadOptions = {
  maxBytes: number;
  /** If the announced length is above the cap, nothing is read. */
  contentLength: number | null;
  /** Claims space for more bytes; false if there is none. */
  claim: (bytes: number) => boolean;
};

/** Node's request, or the stream of a route handler. */
export type BodyStream = Readable | AsyncIterable<Uint8Array>;

/** Reads up to the cap; a Node stream stays open for the answer. "aborted": the sender disconnected. */
export async function readCapped(
  stream: BodyStream | null | undefined,
  { maxBytes, contentLength, claim }: ReadOptions,
): Promise<CappedBody> {
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
