import { expect, it } from "vitest";
import { LARGE_MS_PER_IP, ReserializeBudget, SMALL_BODY_BYTES } from "#lib/ingest/receiver-limits";

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
