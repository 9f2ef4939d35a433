import { expect, test } from "vitest";
import { LargeTurns } from "#lib/forwarding/sender/held-bodies";

const MB = 1_000_000;

type Name = "small" | "large" | "late";

/** Turns of a clock of their own, at 10 MB a second; each asks again as soon as it has loaded. */
function start() {
  const [who, loaded] = [
    { small: {}, large: {}, late: {} },
    { small: 0, large: 0, late: 0 },
  ];
  let ms = 0;
  const pauses: (() => void)[] = [];
  const turns = new LargeTurns<object>(
    () => 10_000,
    (pause) => {
      ms += pause;
      return new Promise<void>((resolve) => pauses.push(resolve));
    },
  );
  const askAlways = (name: Name, bytes: number) => {
    const ask = (): Promise<void> =>
      turns
        .take(who[name], bytes, async () => {
          loaded[name] += bytes;
        })
        .then(ask);
    void ask();
  };
  /** Lets time pass. */
  const pass = async (forMs: number) => {
    for (const end = ms + forMs; ms < end; ) {
      await new Promise((resolve) => setImmediate(resolve));
      pauses.shift()?.();
    }
  };
  return { turns, loaded, askAlways, pass };
}

test("of two that always want more, each loads the same number of bytes, however large its bodies are", async () => {
  const { loaded, askAlways, pass } = start();
  askAlways("large", 16 * MB);
  askAlways("small", MB);
  await pass(100_000);
  expect(loaded.small / loaded.large).toBeCloseTo(1, 1);
});

test("one that comes later has its part from then on, and does not catch up", async () => {
  const { loaded, askAlways, pass } = start();
  askAlways("small", MB);
  await pass(60_000);
  const before = loaded.small;
  askAlways("late", MB);
  await pass(20_000);
  expect(loaded.late / (loaded.small - before)).toBeCloseTo(1, 1);
});

test("a load that fails is told to the one who asked, and the next goes on", async () => {
  const { turns, loaded, askAlways, pass } = start();
  const failed = turns.take({}, MB, () => Promise.reject(new Error("the database is away")));
  askAlways("small", MB);
  await expect(failed).rejects.toThrow("the database is away");
  await pass(1000);
  expect(loaded.small).toBeGreaterThan(5 * MB);
});
