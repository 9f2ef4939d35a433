import { ipBucket } from "#lib/http/ip-prefix";
import { consume, perMinute, waitOf } from "./per-minute.ts";

/** Treatment of a rejected request: kept and answered, only answered, or answered 429. */
export type RejectionVerdict = { keep: boolean; retryAfterSeconds: number | null };

/** Rejections a minute that an IP address, and all of a source together, may cause before 429. */
export const REJECTIONS_PER_IP = 600;
const REJECTIONS_PER_SOURCE = 6000;

/** Requests a minute for names that no source has, of an IP address and of all together, before 429. */
export const UNKNOWN_NAMES_PER_IP = 600;
export const UNKNOWN_NAMES = 6000;

/** Most requests kept a minute, so that a flood writes bounded rows and bytes, and one address can't fill its source's share. */
export const KEPT_PER_SOURCE = 300;
export const KEPT_PER_IP = 200;
export const KEPT_KIB_PER_SOURCE = 4096;

const ALL = "all";

/** Counts rejected requests in memory, before any write. Verified ones, except conflicts, don't count: nobody can lock the platform out. */
export class RejectionLimiter {
  private readonly byIp = perMinute(REJECTIONS_PER_IP);
  private readonly bySource = perMinute(REJECTIONS_PER_SOURCE);
  private readonly unknownByIp = perMinute(UNKNOWN_NAMES_PER_IP);
  private readonly unknown = perMinute(UNKNOWN_NAMES);
  private readonly keptByIp = perMinute(KEPT_PER_IP);
  private readonly keptBySource = perMinute(KEPT_PER_SOURCE);
  private readonly keptKibBySource = perMinute(KEPT_KIB_PER_SOURCE);

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

  /** Returns null when an unknown name may be looked up, else the seconds to wait. */
  async unknownNameWait(remoteAddress: string | null): Promise<number | null> {
    return (await waitOf(this.unknownByIp, ipBucket(remoteAddress))) ?? (await waitOf(this.unknown, ALL));
  }

  /** Counts an unknown name. Returns the seconds to wait beyond the limit: many may have been looked up together. */
  async countUnknownName(remoteAddress: string | null): Promise<number | null> {
    return (await consume(this.unknownByIp, ipBucket(remoteAddress))) ?? (await consume(this.unknown, ALL));
  }
}
