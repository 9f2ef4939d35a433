import { describe, expect, it } from "vitest";
import { afterReceivers, ReceiveFirst } from "#lib/flows/processing/receive-first";

/** A clock that goes on when somebody rests, and rounds of work that take some time on it. */
function world(storing: (now: number) => boolean) {
  const clock = { now: 0 };
  const receivers = new ReceiveFirst({
    isStoring: async () => storing(clock.now),
    rest: async (ms) => {
      clock.now += ms;
    },
    now: () => clock.now,
  });
  const begun: number[] = [];
  const work = afterReceivers(async () => {
    begun.push(clock.now);
    clock.now += 100;
    return true;
  }, receivers);
  return { clock, begun, work };
}

const during = (begun: number[], from: number, to: number) => begun.filter((at) => at >= from && at < to).length;

describe("what follows an event", () => {
  it("does not wait while receivers have time between two commits", async () => {
    const { begun, work } = world((now) => now % 10 === 0);
    for (let round = 0; round < 10; round += 1) await work();
    expect(begun.at(-1)).toBeLessThan(1000);
  });

  it("leaves a burst the machine for ten seconds, and then takes half of it", async () => {
    const { clock, begun, work } = world(() => true);
    while (clock.now < 20_000) await work();
    expect(during(begun, 0, 10_000)).toBeLessThanOrEqual(10);
    const later = during(begun, 11_000, 20_000) * 100;
    expect(later).toBeGreaterThan(3000);
    expect(later).toBeLessThanOrEqual(4700);
  });

  it("goes on at once when the burst is over", async () => {
    const { clock, begun, work } = world((now) => now < 3000);
    while (clock.now < 5000) await work();
    expect(during(begun, 3300, 4300)).toBeGreaterThanOrEqual(9);
  });

  it("begins its first round after a rest without a look at the receivers", async () => {
    let looks = 0;
    const receivers = new ReceiveFirst({
      isStoring: async () => {
        looks += 1;
        return true;
      },
    });
    const work = afterReceivers(async () => false, receivers);
    await work();
    await work();
    expect(looks).toBe(0);
  });

  it("works when the database does not say what receivers do", async () => {
    const receivers = new ReceiveFirst({ isStoring: () => Promise.reject(new Error("away")) });
    await expect(receivers.waitForReceivers()).resolves.toBeUndefined();
  });
});
