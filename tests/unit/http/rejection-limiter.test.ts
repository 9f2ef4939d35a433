import { describe, expect, it } from "vitest";
import { BUCKETS, ipBucket } from "#lib/http/request-head";
import {
  KEPT_KIB_PER_SOURCE,
  KEPT_PER_IP,
  KEPT_PER_SOURCE,
  REJECTIONS_PER_IP,
  RejectionLimiter,
  UNKNOWN_NAMES,
  UNKNOWN_NAMES_PER_IP,
} from "#lib/ingest/receiver-limits";
import { atSize } from "#tests/support/sample";

describe("refusals", () => {
  it("of one address are kept up to its share, answered up to its limit, then told to wait", async () => {
    const limits = new RejectionLimiter();
    const verdicts = [];
    for (let n = 0; n < REJECTIONS_PER_IP + 5; n += 1) verdicts.push(await limits.check("src_1", "192.0.2.1", 100));
    expect(verdicts.filter(({ keep }) => keep)).toHaveLength(KEPT_PER_IP);
    expect(verdicts.slice(REJECTIONS_PER_IP).every(({ retryAfterSeconds }) => (retryAfterSeconds ?? 0) > 0)).toBe(true);
    expect((await limits.check("src_1", "198.51.100.7", 100)).keep).toBe(true);
  });

  it("of all addresses together keep a bounded number of rows of a source, and leave other sources alone", async () => {
    const limits = new RejectionLimiter();
    let kept = 0;
    for (let n = 0; n < 5000; n += 1) if ((await limits.check("src_1", `10.0.${n >> 8}.${n & 255}`, 100)).keep) kept += 1;
    expect(kept).toBe(KEPT_PER_SOURCE);
    expect((await limits.check("src_2", "192.0.2.1", 100)).keep).toBe(true);
  });

  it("keep a bounded number of bytes", async () => {
    const limits = new RejectionLimiter();
    let kept = 0;
    for (let n = 0; n < 250; n += 1) if ((await limits.check("src_1", `10.0.0.${n}`, 65_536)).keep) kept += 1;
    expect(kept).toBe(KEPT_KIB_PER_SOURCE / 64);
  });
});

describe("requests for names that no source has", () => {
  it("are told to wait by address and in all, and the check before the look-up counts nothing", async () => {
    const limits = new RejectionLimiter();
    for (let n = 0; n < 10; n += 1) expect(await limits.unknownNameWait("192.0.2.1")).toBeNull();
    for (let n = 0; n < UNKNOWN_NAMES_PER_IP; n += 1) await limits.countUnknownName("192.0.2.1");
    expect(await limits.unknownNameWait("192.0.2.1")).toBeGreaterThan(0);
    expect(await limits.unknownNameWait("198.51.100.7")).toBeNull();
    for (let n = 0; n < UNKNOWN_NAMES; n += 1) await limits.countUnknownName(`10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`);
    expect(await limits.unknownNameWait("198.51.100.7")).toBeGreaterThan(0);
  });
});

describe("an address's counter", () => {
  it("is one of a fixed number", () => {
    const buckets = new Set(
      Array.from({ length: atSize(100_000, 20_000) }, (_, n) => ipBucket(`2001:db8:${(n >> 8).toString(16)}:${n & 255}::1`)),
    );
    expect(buckets.size).toBeLessThanOrEqual(BUCKETS);
    expect(buckets.size).toBeGreaterThan(BUCKETS / 2);
  });

  it.each([
    ["2001:db8:1:2::1", "2001:db8:1:2:ffff:ffff:ffff:ffff", true],
    ["2001:db8::1", "2001:db8:0:0:9::", true],
    ["2001:db8:1:2::1", "2001:db8:1:3::1", false],
    ["::ffff:192.0.2.1", "192.0.2.1", true],
    ["::ffff:192.0.2.1", "::ffff:192.0.2.2", false],
    ["fe80::1%eth0", "fe80::2%eth1", true],
    ["::1", "::2", true],
  ])("of %s and %s is the same: %s", (one, other, same) => {
    expect(ipBucket(one) === ipBucket(other)).toBe(same);
  });
});
