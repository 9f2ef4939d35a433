import { inTime } from "#lib/time/in-time";
import { type BodyStream, readCapped } from "./raw-body.ts";

/**
 * Result of reading a request's body: its bytes, or why there are none.
 * `overloaded`: too many bodies are being read. `too_slow`: it took too long.
 * `aborted`: the sender went away.
 */
export type BodyReading = Uint8Array | "too_large" | "overloaded" | "too_slow" | "aborted";

export type IntakeLimits = {
  /** All bodies in progress together, from their first byte to their answer, in bytes. */
  maxBytes: number;
  /** Time limit for one body, in milliseconds. */
  timeoutMs: number;
};

/** Memory of a request beside its body: socket, headers, promises. Bounds the number of requests in progress, too. */
const OVERHEAD_BYTES = 8192;

/**
 * Reads bodies within bounds that hold for all of them together: memory never
 * grows with the number of senders or with how slow they are. Bytes count as
 * they arrive, not as they are announced: an announced megabyte takes no space.
 */
export class BoundedBodyReader {
  private readonly limits: IntakeLimits;
  private bytesInHand = 0;

  constructor(limits: IntakeLimits) {
    this.limits = limits;
  }

  /**
   * Reads one body and hands it to `use`; its space is free again when `use` is done.
   *
   * @param stream null or undefined for an empty body
   * @param maxBytes the cap of one body, inclusive
   * @param contentLength the announced length in bytes, if any
   */
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
      // Further bytes of a body that took too long are not counted: nobody would give their space back.
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
