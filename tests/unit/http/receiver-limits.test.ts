import { describe, expect, it } from "vitest";
import { BUCKETS, ipBucket } from "#lib/http/request-head";
import {
  KEPT_KIB_PER_SOURCE,
  KEPT_PER_IP,
  KEPT_PER_SOURCE,
  LARGE_MS_PER_IP,
  REJECTIONS_PER_IP,
  RejectionLimiter,
  ReserializeBudget,
  SMALL_BODY_BYTES,
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

const STRANGER = "192.0.2.1";
const PLATFORM = "198.51.100.7";
const LARGE = SMALL_BODY_BYTES + 1;

let now = 0;
const newBudget = () => new ReserializeBudget(() => now);

const read = (budget: ReserializeBudget, remoteAddress: string | null, bytes: number, ms: number, inVain: boolean) =>
  budget.spend({ sourceId: "src_1", remoteAddress, bytes }, () => {
    now += ms;
    return { result: "read", inVain };
  });

const READ = { result: "read" };
const WAIT = { retryAfterSeconds: expect.any(Number) };

/** Strangers' large bodies, until neither their addresses nor the source has any time left. */
async function exhaustLarge(budget: ReserializeBudget): Promise<void> {
  for (let n = 0; n < 20; n += 1) {
    const answer = await read(budget, `192.0.2.${n}`, LARGE, LARGE_MS_PER_IP / 4 + 1, true);
    if ("retryAfterSeconds" in answer) return;
  }
}

it("reading a large body in vain takes of its address's time, until that is spent; one that verifies takes none", async () => {
  const budget = newBudget();
  for (let n = 0; n < 5; n += 1) expect(await read(budget, STRANGER, LARGE, LARGE_MS_PER_IP / 10, false)).toEqual(READ);
  for (let n = 0; n < 4; n += 1) expect(await read(budget, STRANGER, LARGE, LARGE_MS_PER_IP / 4 + 1, true)).toEqual(READ);
  expect(await read(budget, STRANGER, LARGE, 0, true)).toEqual(WAIT);
  expect(await read(budget, "192.0.2.2", LARGE, 0, true)).toEqual(READ);
});

it("small bodies are read although the time for large ones is spent", async () => {
  const budget = newBudget();
  await exhaustLarge(budget);
  expect(await read(budget, PLATFORM, LARGE, 0, true)).toEqual(WAIT);
  expect(await read(budget, PLATFORM, SMALL_BODY_BYTES, 0, true)).toEqual(READ);
  expect(await read(budget, "192.0.2.0", SMALL_BODY_BYTES, 0, true)).toEqual(READ);
});

it("an address that the source's events came from before has time of its own for large bodies, and only for that source", async () => {
  const budget = newBudget();
  budget.noteVerified({ sourceId: "src_1", remoteAddress: PLATFORM });
  await exhaustLarge(budget);
  expect(await read(budget, PLATFORM, LARGE, 0, false)).toEqual(READ);
  expect(await read(budget, "203.0.113.9", LARGE, 0, false)).toEqual(WAIT);
  expect(await read(budget, null, LARGE, 0, false)).toEqual(WAIT);
  budget.noteVerified({ sourceId: "src_2", remoteAddress: "203.0.113.9" });
  expect(await read(budget, "203.0.113.9", LARGE, 0, false)).toEqual(WAIT);
});

it("the time of such an address is bounded, too", async () => {
  const budget = newBudget();
  budget.noteVerified({ sourceId: "src_1", remoteAddress: PLATFORM });
  let reads = 0;
  while ("result" in (await read(budget, PLATFORM, LARGE, 500, true))) reads += 1;
  expect(reads).toBeGreaterThan(4);
  expect(reads).toBeLessThan(20);
});
