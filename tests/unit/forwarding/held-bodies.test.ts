import { expect, test } from "vitest";
import { HeldBodies } from "#lib/forwarding/sender/held-bodies";

/** Room for 100 bytes, of which 50 are divided among destinations. */
function open(count: number) {
  const held = new HeldBodies(100);
  const woken: number[] = [];
  return { held, woken, rooms: Array.from({ length: count }, (_, n) => held.open(() => void woken.push(n))) as never as Rooms };
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
