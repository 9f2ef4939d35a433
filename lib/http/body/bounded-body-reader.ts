import { inTime } from "#lib/time/in-time";
import { type BodyStream, readCapped } from "./raw-body.ts";

/** A body, or why there is none. `overloaded`: too many bodies are being read. `aborted`: the sender disconnected. */
export type BodyReading = Uint8Array | "too_large" | "overloaded" | "too_slow" | "aborted";

export type IntakeLimits = {
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
