import { expect, test } from "vitest";
import { HeldBodies, LARGE_BYTES, LargeTurns } from "#lib/forwarding/sender/held-bodies";

/** Room for 100 bytes, of which 50 are divided among destinations; `late` lets so many milliseconds pass. */
function open(count: number) {
  let ms = 0;
  const held = new HeldBodies(100, { now: () => 0, elapsed: () => ms });
  const late = (after: number) => {
    ms += after;
  };
  const woken: number[] = [];
  return { held, woken, late, rooms: Array.from({ length: count }, (_, n) => held.open(() => void woken.push(n))) as never as Rooms };
}
type Rooms = [ReturnType<HeldBodies["open"]>, ReturnType<HeldBodies["open"]>];

test("a destination's share is there whatever another holds", () => {
  const { held, rooms } = open(2);
  const [greedy, other] = rooms;
  expect(greedy.take(Array.from({ length: 200 }, () => 1))).toBe(75);
  expect(other.take([26])).toBe(0);
  expect(other.take([10, 10, 5, 1])).toBe(3);
  expect(held.bytes).toBe(100);
});

test("what is free goes to the one that holds least and waits, and it alone is woken", () => {
  const { rooms, woken } = open(2);
  const [greedy, other] = rooms;
  greedy.take([75]);
  expect(greedy.take([10])).toBe(0);
  expect(other.take([30])).toBe(0);
  greedy.release(5);
  expect(woken).toEqual([1]);
  expect(greedy.take([1])).toBe(0);
  expect(other.take([30])).toBe(1);
});

test("one that needs nothing any more stands in nobody's way", () => {
  const { rooms, woken } = open(2);
  const [greedy, other] = rooms;
  greedy.take([75]);
  other.take([30]);
  greedy.release(5);
  expect(greedy.take([5])).toBe(0);
  woken.length = 0;
  other.forgo();
  expect(woken).toEqual([0]);
  expect(greedy.take([5])).toBe(1);
  other.close();
  expect(greedy.take([25])).toBe(1);
});

test("a body larger than all room is held alone", () => {
  const { rooms } = open(2);
  const [one, other] = rooms;
  expect(one.take([500])).toBe(1);
  expect(other.take([500])).toBe(0);
  expect(other.take([25])).toBe(1);
  other.release(25);
  one.release(500);
  expect(other.take([500])).toBe(1);
});

test("a destination that is added has its share at once, and nobody takes more until what is passed is free again", () => {
  const { held, rooms } = open(1);
  const [first] = rooms;
  expect(first.take([100])).toBe(1);
  const added = held.open(() => undefined);
  expect(added.take([25, 1])).toBe(1);
  expect(first.take([1])).toBe(0);
  first.release(100);
  expect(held.bytes).toBeLessThan(held.most);
});

test("destinations that do not answer take half of what is not divided; one that answers at once has the rest", () => {
  const { held, late, rooms, woken } = open(2);
  const [slow, prompt] = rooms;
  const answered = slow.beginRequest();
  late(9000);
  expect(slow.take(Array.from({ length: 100 }, () => 1))).toBe(50);
  expect(slow.take([1])).toBe(0);
  expect(prompt.take(Array.from({ length: 100 }, () => 1))).toBe(50);
  expect(held.bytes).toBe(100);
  // It has answered, but late: it takes no more than before.
  answered();
  prompt.release(50);
  expect(slow.take([1])).toBe(0);
  for (let n = 0; n < 10; n += 1) slow.beginRequest()();
  expect(slow.take([1])).toBe(1);
  expect(woken).toEqual([]);
});

test("one that answers at once does not wait for a slow one that holds less and wants more than there is", () => {
  const { late, rooms } = open(2);
  const [slow, prompt] = rooms;
  slow.beginRequest();
  late(9000);
  slow.take([1]);
  prompt.take([30]);
  expect(slow.take([60])).toBe(0);
  expect(prompt.take([20])).toBe(1);
});

test("of those that hold the same, the one that has waited longest is first", () => {
  const { rooms, woken } = open(3);
  const [greedy, second, first] = rooms as never as [...Rooms, Rooms[0]];
  greedy.take([60]);
  expect(first.take([30])).toBe(0);
  expect(second.take([30])).toBe(0);
  greedy.release(30);
  expect(woken).toEqual([2]);
  expect(second.take([30])).toBe(0);
  expect(first.take([30])).toBe(1);
});

test("a large body of one that answers at once is loaded while slow ones wait for their turn", async () => {
  const { late, rooms } = open(2);
  const [slow, prompt] = rooms;
  slow.beginRequest();
  late(9000);
  const loaded: string[] = [];
  const load = (name: string) => async () => void loaded.push(name);
  await slow.inTurn(LARGE_BYTES, load("slow"));
  const next = slow.inTurn(LARGE_BYTES, load("slow again"));
  await prompt.inTurn(LARGE_BYTES, load("prompt"));
  await next;
  expect(loaded).toEqual(["slow", "prompt", "slow again"]);
});

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
