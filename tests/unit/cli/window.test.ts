import { expect, it } from "vitest";
import { Window } from "../../../packages/cli/src/hand-over.ts";

const never = new AbortController().signal;

/** Work that ends when it is told to. */
function work() {
  let end: (done: boolean) => void = () => {};
  const promise = new Promise<boolean>((resolve) => {
    end = resolve;
  });
  const endWith = (done = true) => {
    end(done);
    return new Promise((resolve) => setImmediate(resolve));
  };
  return { run: () => promise, end: endWith };
}

it("moves the cursor behind what is done without a gap, and never past what is not", async () => {
  const cursors: string[] = [];
  const window = new Window(3, (cursor) => cursors.push(cursor), never);
  const [a, b, c] = [work(), work(), work()];
  await window.start("1", a.run);
  await window.start("2", b.run);
  window.pass("3");
  await window.start("4", c.run);
  await b.end();
  expect(cursors).toEqual([]);
  await a.end();
  expect(cursors).toEqual(["3"]);
  await c.end(false);
  window.pass("5");
  await window.idle();
  expect(cursors).toEqual(["3"]);
});

it("starts no more than there is room for", async () => {
  const window = new Window(1, () => {}, never);
  const [a, b] = [work(), work()];
  await window.start("1", a.run);
  let started = false;
  const second = window.start("2", b.run).then(() => {
    started = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect(started).toBe(false);
  await a.end();
  await second;
  expect(started).toBe(true);
});

it("starts nothing once it is stopped, and leaves the cursor before what it did not start", async () => {
  const cursors: string[] = [];
  const stop = new AbortController();
  const window = new Window(1, (cursor) => cursors.push(cursor), stop.signal);
  const [a, b] = [work(), work()];
  await window.start("1", a.run);
  let started = 0;
  const count = () => {
    started++;
    return b.run();
  };
  const waiting = window.start("2", count);
  stop.abort();
  await waiting;
  await a.end();
  await window.start("3", count);
  window.pass("4");
  expect({ started, cursors }).toEqual({ started: 0, cursors: ["1"] });
});
