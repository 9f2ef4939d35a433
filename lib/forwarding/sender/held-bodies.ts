import { MAX_READ_BYTES } from "#lib/db/within-bytes";

/**
 * How much the senders of a process hold of bodies that wait to be sent. What a
 * read will load is not known before it: room for the most that it may be is
 * reserved, so that senders that are woken together keep the limit together.
 */
export class HeldBodies {
  /** In bytes. */
  readonly most: number;
  private held = 0;
  private readonly waiting = new Set<() => void>();

  /** @param most in bytes; more than one read may load */
  constructor(most: number) {
    this.most = most;
  }

  /** With what is reserved. */
  get bytes(): number {
    return this.held;
  }

  /**
   * Reserves room for one read, until it is settled.
   *
   * @param whenRoom called once when there may be room again; the same function waits once
   * @returns false when there is no room
   */
  reserve(whenRoom: () => void): boolean {
    const hasRoom = this.hasRoom;
    if (hasRoom) this.held += MAX_READ_BYTES;
    else this.waiting.add(whenRoom);
    return hasRoom;
  }

  /** A read has ended: what is kept of it takes the place of what was reserved. */
  settle(kept: readonly { body: Uint8Array }[]): void {
    this.change(sumOf(kept) - MAX_READ_BYTES);
  }

  /** They were sent, or are not to be sent any more. */
  release(kept: readonly { body: Uint8Array }[]): void {
    this.change(-sumOf(kept));
  }

  private get hasRoom(): boolean {
    return this.held + MAX_READ_BYTES <= this.most;
  }

  private change(bytes: number): void {
    this.held += bytes;
    if (!this.hasRoom) return;
    // All of them: one that was woken may need nothing any more.
    const waiting = [...this.waiting];
    this.waiting.clear();
    for (const wake of waiting) wake();
  }
}

const sumOf = (kept: readonly { body: Uint8Array }[]): number => kept.reduce((sum, { body }) => sum + body.length, 0);
