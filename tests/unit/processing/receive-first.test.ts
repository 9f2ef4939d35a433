import { describe, expect, it } from "vitest";
import { afterReceivers, ReceiveFirst } from "#lib/flows/processing/receive-first";

const CROWDED = { events: 64, commits: 4 };
const ALONE = { events: 64, commits: 60 };

/** A clock that goes on when somebody rests, and rounds of work that take 100 ms on it. Something is stored at every moment, crowded or not. */
function world(isCrowded: (now: number) => boolean, isStored: (now: number) => boolean = () => true) {
  const clock = { now: 0 };
  let seq = 0;
  const receivers = new ReceiveFirst({
    readNewest: async () => {
      if (isStored(clock.now)) seq += 1;
      return { seq, ...(isCrowded(clock.now) ? CROWDED : ALONE) };
    },
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
  it("does not wait while each webhook has a commit of its own", async () => {
    const { begun, work } = world(() => false);
    for (let round = 0; round < 10; round += 1) await work();
    expect(begun.at(-1)).toBe(900);
  });

  it("leaves a burst the machine until it has rested for ten seconds, and follows what lasts longer as it comes", async () => {
    const { clock, begun, work } = world(() => true);
    while (clock.now < 20_000) await work();
    expect(during(begun, 0, 10_000)).toBe(1);
    expect(during(begun, 10_500, 19_500)).toBe(90);
  });

  it("goes on at once when nothing more is stored, however crowded the last commits were", async () => {
    const { clock, begun, work } = world(
      () => true,
      (now) => now < 3000,
    );
    while (clock.now < 5000) await work();
    expect(during(begun, 3200, 4200)).toBe(10);
  });

  it("takes bursts with little calm between them for one that lasts, and gives one after a calm the machine again", async () => {
    const often = world((now) => now % 12_000 < 10_000);
    while (often.clock.now < 120_000) await often.work();
    expect(during(often.begun, 24_000, 120_000)).toBe(960);
    const seldom = world((now) => now % 30_000 < 10_000);
    while (seldom.clock.now < 70_000) await seldom.work();
    expect(during(seldom.begun, 30_200, 39_800)).toBe(0);
    expect(during(seldom.begun, 41_000, 60_000)).toBe(190);
  });

  it("begins its first round after a rest without a look at the receivers", async () => {
    let looks = 0;
    const receivers = new ReceiveFirst({
      readNewest: async () => {
        looks += 1;
        return { seq: looks, ...CROWDED };
      },
    });
    const work = afterReceivers(async () => false, receivers);
    await work();
    await work();
    expect(looks).toBe(0);
  });

  it("works when the database does not say what receivers do", async () => {
    const receivers = new ReceiveFirst({ readNewest: () => Promise.reject(new Error("away")) });
    await expect(receivers.waitForReceivers()).resolves.toBe(true);
  });
});
