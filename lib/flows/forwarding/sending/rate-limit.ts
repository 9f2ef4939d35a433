/** Spreads requests evenly: no more than `rate` a second, without bursts. */
export class RateLimit {
  private nextAt = 0;

  /** @returns milliseconds to wait; 0 when a request may begin now, which takes its turn */
  take(rate: number | null, now = performance.now()): number {
    if (rate === null) return 0;
    if (now < this.nextAt) return this.nextAt - now;
    this.nextAt = Math.max(this.nextAt + 1000 / rate, now);
    return 0;
  }
}
