import { describe, expect, it } from "vitest";
import { addressBucket, BUCKETS } from "#lib/http/address-bucket";
import {
  KEPT_KIB_PER_SOURCE,
  KEPT_PER_ADDRESS,
  KEPT_PER_SOURCE,
  REFUSALS_PER_ADDRESS,
  RefusalLimits,
  SECOND_LOOK_MS_PER_ADDRESS,
} from "#lib/http/refusal-limits";

describe("refusals", () => {
  it("of one address are kept up to its share, answered up to its limit, then told to wait", async () => {
    const limits = new RefusalLimits();
    const verdicts = [];
    for (let n = 0; n < REFUSALS_PER_ADDRESS + 5; n += 1) verdicts.push(await limits.judge("src_1", "192.0.2.1", 100));
    expect(verdicts.filter(({ keep }) => keep)).toHaveLength(KEPT_PER_ADDRESS);
    expect(verdicts.slice(REFUSALS_PER_ADDRESS).every(({ retryAfterSeconds }) => (retryAfterSeconds ?? 0) > 0)).toBe(true);
    expect((await limits.judge("src_1", "198.51.100.7", 100)).keep).toBe(true);
  });

  it("of all addresses together keep a bounded number of rows of a source, and leave other sources alone", async () => {
    const limits = new RefusalLimits();
    let kept = 0;
    for (let n = 0; n < 5000; n += 1) if ((await limits.judge("src_1", `10.0.${n >> 8}.${n & 255}`, 100)).keep) kept += 1;
    expect(kept).toBe(KEPT_PER_SOURCE);
    expect((await limits.judge("src_2", "192.0.2.1", 100)).keep).toBe(true);
  });

  it("keep a bounded number of bytes", async () => {
    const limits = new RefusalLimits();
    let kept = 0;
    for (let n = 0; n < 250; n += 1) if ((await limits.judge("src_1", `10.0.0.${n}`, 65_536)).keep) kept += 1;
    expect(kept).toBe(KEPT_KIB_PER_SOURCE / 64);
  });
});

describe("a second look", () => {
  const busy = (ms: number) => {
    const end = performance.now() + ms;
    while (performance.now() < end);
  };
  const look = (limits: RefusalLimits, ms: number, inVain: boolean, address = "192.0.2.1") =>
    limits.secondLook("src_1", address, () => {
      busy(ms);
      return { result: "looked", inVain };
    });

  it("that is in vain takes of its address's time, until that is spent; one that verifies takes none", async () => {
    const limits = new RefusalLimits();
    for (let n = 0; n < 5; n += 1) expect(await look(limits, SECOND_LOOK_MS_PER_ADDRESS / 10, false)).toEqual({ result: "looked" });
    for (let n = 0; n < 4; n += 1) expect(await look(limits, SECOND_LOOK_MS_PER_ADDRESS / 4 + 1, true)).toEqual({ result: "looked" });
    expect(await look(limits, 0, true)).toEqual({ retryAfterSeconds: expect.any(Number) });
    expect(await look(limits, 0, true, "198.51.100.7")).toEqual({ result: "looked" });
  });
});

describe("an address's counter", () => {
  it("is one of a fixed number", () => {
    const buckets = new Set(Array.from({ length: 100_000 }, (_, n) => addressBucket(`2001:db8:${(n >> 8).toString(16)}:${n & 255}::1`)));
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
    expect(addressBucket(one) === addressBucket(other)).toBe(same);
  });
});
