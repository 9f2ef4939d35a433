/** Spreads requests evenly: no more than `rate` a second, without bursts. */
export class RateLimit {
  private nextAt = 0;

  /** Returns milliseconds to wait; 0 takes the turn. */
  take(rate: number | null, now = performance.now()): number {
    if (rate === null) return 0;
    if (now < this.nextAt) return this.nextAt - now;
    this.nextAt = Math.max(this.nextAt + 1000 / rate, now);
    return 0;
  }
}
