import { readCapped } from "./raw-body.ts";

/**
 * What became of a request's body: its bytes, or why there are none.
 * `overloaded`: too many bodies are in hand. `too_slow`: it took too long.
 * `aborted`: the sender went away.
 */
export type BodyReading = Uint8Array | "too_large" | "overloaded" | "too_slow" | "aborted";

export type IntakeLimits = {
  /** All bodies in hand together, from their first byte to their answer, in bytes. */
  maxBytes: number;
  /** How long one body may take, in milliseconds. */
  patienceMs: number;
};

/** What a request weighs beside its body: socket, headers, promises. Bounds the number of requests in hand, too. */
const OVERHEAD_BYTES = 8192;

/**
 * Reads bodies within bounds that hold for all of them together: memory never
 * grows with the number of senders or with how slow they are. Bytes count as
 * they arrive, not as they are announced: a promise of a megabyte takes no room.
 */
export class BodyIntake {
  private readonly limits: IntakeLimits;
  private bytesInHand = 0;

  constructor(limits: IntakeLimits) {
    this.limits = limits;
  }

  /**
   * Reads one body and hands it to `use`; its room is free again when `use` is done.
   *
   * @param stream the body's chunks; null or undefined for an empty body
   * @param maxBytes the cap of one body, inclusive
   * @param contentLength the announced length in bytes, if any
   */
  async read<T>(
    stream: AsyncIterable<Uint8Array> | null | undefined,
    { maxBytes, contentLength }: { maxBytes: number; contentLength: number | null },
    use: (body: BodyReading) => Promise<T>,
  ): Promise<T> {
    if (this.bytesInHand + OVERHEAD_BYTES > this.limits.maxBytes) return use("overloaded");
    let mine = OVERHEAD_BYTES;
    this.bytesInHand += mine;
    const claim = (bytes: number) => {
      if (this.bytesInHand + bytes > this.limits.maxBytes) return false;
      mine += bytes;
      this.bytesInHand += bytes;
      return true;
    };
    try {
      return await use(await this.inTime(readCapped(stream, { maxBytes, contentLength, claim })));
    } finally {
      this.bytesInHand -= mine;
    }
  }

  private inTime(reading: Promise<BodyReading>): Promise<BodyReading> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve("too_slow"), this.limits.patienceMs);
      void reading.then((body) => {
        clearTimeout(timer);
        resolve(body);
      });
    });
  }
}

const MIB = 1_048_576;
const shared = globalThis as typeof globalThis & { signalboxIntake?: BodyIntake };

/** The process's intake of webhook bodies, one for both doors. */
export function webhookIntake(): BodyIntake {
  shared.signalboxIntake ??= new BodyIntake({ maxBytes: 128 * MIB, patienceMs: 10_000 });
  return shared.signalboxIntake;
}
