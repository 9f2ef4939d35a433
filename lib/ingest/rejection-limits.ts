import { ipBucket } from "#lib/http/ip-prefix";
import { consume, perMinute, waitOf } from "./per-minute.ts";

/** Treatment of a rejected request: kept and answered, answered alone, or answered 429. */
export type RejectionVerdict = { keep: boolean; retryAfterSeconds: number | null };

/** Rejections a minute that an IP address, and all of a source together, may cause before 429. */
export const REJECTIONS_PER_IP = 600;
const REJECTIONS_PER_SOURCE = 6000;

/** Requests a minute for names that no source has, of an IP address and of all together, before 429. */
export const UNKNOWN_NAMES_PER_IP = 600;
export const UNKNOWN_NAMES = 6000;

/**
 * Most requests kept a minute: a flood of unsigned requests writes a bounded number
 * of rows and bytes, and one address alone can't fill its source's share.
 */
export const KEPT_PER_SOURCE = 300;
export const KEPT_PER_IP = 200;
export const KEPT_KIB_PER_SOURCE = 4096;

const ALL = "all";

/**
 * Counts rejected requests in memory, by IP address and by source, before anything
 * is written. Requests that verify are not counted, apart from bodies that differ from their event's: nobody can
 * lock the platform out by sending invalid requests from its IP address or to its source. Memory is
 * bounded: addresses share a fixed number of counters.
 */
export class RejectionLimiter {
  private readonly byIp = perMinute(REJECTIONS_PER_IP);
  private readonly bySource = perMinute(REJECTIONS_PER_SOURCE);
  private readonly unknownByIp = perMinute(UNKNOWN_NAMES_PER_IP);
  private readonly unknown = perMinute(UNKNOWN_NAMES);
  private readonly keptByIp = perMinute(KEPT_PER_IP);
  private readonly keptBySource = perMinute(KEPT_PER_SOURCE);
  private readonly keptKibBySource = perMinute(KEPT_KIB_PER_SOURCE);

  /** @param bytes what would be kept of the request */
  async check(sourceId: string, remoteAddress: string | null, bytes: number): Promise<RejectionVerdict> {
    const address = ipBucket(remoteAddress);
    const wait = (await consume(this.byIp, address)) ?? (await consume(this.bySource, sourceId));
    if (wait !== null) return { keep: false, retryAfterSeconds: wait };
    const keep =
      (await consume(this.keptByIp, `${sourceId} ${address}`)) === null &&
      (await consume(this.keptBySource, sourceId)) === null &&
      (await consume(this.keptKibBySource, sourceId, Math.ceil(bytes / 1024))) === null;
    return { keep, retryAfterSeconds: null };
  }

  /**
   * Returns whether a name that is not known may still be looked up. Asked before the look-up.
   *
   * @returns null when it may, else the seconds to wait
   */
  async unknownNameWait(remoteAddress: string | null): Promise<number | null> {
    return (await waitOf(this.unknownByIp, ipBucket(remoteAddress))) ?? (await waitOf(this.unknown, ALL));
  }

  /**
   * Counts a request for a name that no source has.
   *
   * @returns null when within the limit, else the seconds to wait: many may have been looked up together
   */
  async countUnknownName(remoteAddress: string | null): Promise<number | null> {
    return (await consume(this.unknownByIp, ipBucket(remoteAddress))) ?? (await consume(this.unknown, ALL));
  }
}
