import { describe, expect, test } from "vitest";
import { FairTurns, NoTurn, type TurnLimits } from "#lib/context/fair-turns";

const LIMITS: TurnLimits = {
  atOnce: 3,
  atOncePerKey: 2,
  waitingPerKey: 4,
  waiting: 100,
  waitMs: 60_000,
  rest: { share: 0, fromWaiting: 0 },
};

/** Asks for a turn and notes when it came. */
function asking(limits: Partial<TurnLimits> = {}) {
  const turns = new FairTurns({ ...LIMITS, ...limits });
  const began: string[] = [];
  const ends: (() => void)[] = [];
  const ask = (key: string, signal?: AbortSignal) =>
    turns.begin(key, signal).then(
      (end) => {
        began.push(key);
        ends.push(end);
      },
      (error: unknown) => {
        expect(error).toBeInstanceOf(NoTurn);
        began.push(`no ${key}`);
      },
    );
  /** Ends the turn that began first, and lets who follows begin. */
  const endOne = async () => {
    ends.shift()?.();
    await Promise.resolve();
    await Promise.resolve();
  };
  return { ask, endOne, began, ends };
}

describe("fair turns", () => {
  test("one key has no more than its places, and another begins at once beside it", async () => {
    const { ask, began } = asking();
    for (let n = 0; n < 6; n += 1) void ask("loud");
    await ask("quiet");
    expect(began).toEqual(["loud", "loud", "quiet"]);
  });

  test("keys take turns, not requests", async () => {
    const { ask, endOne, began } = asking({ atOnce: 1, atOncePerKey: 1 });
    for (let n = 0; n < 4; n += 1) void ask("loud");
    void ask("quiet");
    void ask("third");
    await Promise.resolve();
    for (let n = 0; n < 6; n += 1) await endOne();
    expect(began).toEqual(["loud", "loud", "quiet", "third", "loud", "loud"]);
  });

  test("more than may wait are turned away at once, each key by its own number", async () => {
    const { ask, began } = asking({ atOnce: 1, atOncePerKey: 1, waitingPerKey: 2 });
    for (let n = 0; n < 5; n += 1) void ask("loud");
    void ask("quiet");
    await Promise.resolve();
    await Promise.resolve();
    expect(began).toEqual(["loud", "no loud", "no loud"]);
  });

  test("who waited too long is turned away, and takes nobody's place", async () => {
    const { ask, endOne, began } = asking({ atOnce: 1, atOncePerKey: 1, waitMs: 5 });
    await ask("first");
    await ask("late");
    expect(began).toEqual(["first", "no late"]);
    await endOne();
    await ask("next");
    expect(began).toEqual(["first", "no late", "next"]);
  });

  test("who leaves keeps no place", async () => {
    const { ask, endOne, began } = asking({ atOnce: 1, atOncePerKey: 1, waitingPerKey: 1 });
    const left = new AbortController();
    await ask("a");
    const gone = ask("a", left.signal);
    left.abort();
    await gone;
    await ask("a", left.signal);
    const next = ask("a");
    await endOne();
    await next;
    expect(began).toEqual(["a", "no a", "no a", "a"]);
  });

  test("a turn that is ended twice frees one place", async () => {
    const { ask, began, ends } = asking({ atOnce: 1, atOncePerKey: 1 });
    for (const key of ["a", "b", "c"]) void ask(key);
    await Promise.resolve();
    ends[0]?.();
    ends[0]?.();
    await Promise.resolve();
    await Promise.resolve();
    expect(began).toEqual(["a", "b"]);
  });

  test("while others wait a place rests after work, as a share of the time that it took", async () => {
    const { ask, endOne, began } = asking({ atOnce: 1, atOncePerKey: 1, rest: { share: 1, fromWaiting: 1 } });
    await ask("a");
    const next = ask("b");
    await new Promise((resolve) => setTimeout(resolve, 10));
    await endOne();
    expect(began).toEqual(["a"]);
    await next;
    expect(began).toEqual(["a", "b"]);
  });
});
