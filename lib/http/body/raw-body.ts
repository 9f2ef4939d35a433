import { Readable } from "node:stream";

export type CappedBody = Uint8Array | "too_large" | "overloaded" | "aborted";

type ReadOptions = {
  /** The cap, inclusive. */
  maxBytes: number;
  /** The announced length in bytes, if any: above the cap nothing is read at all. */
  contentLength: number | null;
  /** Asks for space for so many more bytes; false when there is none. */
  claim: (bytes: number) => boolean;
};

/** A body's chunks: Node's request, or the stream of a route handler. */
export type BodyStream = Readable | AsyncIterable<Uint8Array>;

/**
 * Reads a body to the end, or to the cap: what lies beyond is not read, and a Node stream stays open for the answer.
 *
 * @param stream null or undefined for an empty body
 * @returns "aborted" when the sender went away
 */
export async function readCapped(
  stream: BodyStream | null | undefined,
  { maxBytes, contentLength, claim }: ReadOptions,
): Promise<CappedBody> {
  if (contentLength !== null && contentLength > maxBytes) return "too_large";
  if (!stream) return new Uint8Array();
  const body = new Chunks(maxBytes, claim);
  return stream instanceof Readable ? readNodeStream(stream, body) : readIterable(stream, body);
}

/** The chunks so far, within the cap and within the space that there is. */
class Chunks {
  private readonly chunks: Uint8Array[] = [];
  private length = 0;
  private readonly maxBytes: number;
  private readonly claim: (bytes: number) => boolean;

  constructor(maxBytes: number, claim: (bytes: number) => boolean) {
    this.maxBytes = maxBytes;
    this.claim = claim;
  }

  /** @returns why no more is read; null to go on */
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

/** By its events: iterating over a request costs as much as all the rest that the receiver does with it, but the signature. */
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

/** The announced length in bytes; null when there is none that can be understood. */
export function announcedLength(header: string | null | undefined): number | null {
  return header && /^\d{1,15}$/.test(header) ? Number(header) : null;
}
