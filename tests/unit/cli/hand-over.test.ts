import { expect, it, onTestFinished, vi } from "vitest";
import { openSender, type Sender, type Sent } from "../../../packages/cli/src/deliver.ts";
import { type Handing, handOver, Window } from "../../../packages/cli/src/hand-over.ts";
import { processOutput } from "../../../packages/cli/src/terminal.ts";
import { startRawTarget } from "../../support/forwarding/raw-target.ts";

const EVENT = {
  id: "evt_1",
  type: "document.processed",
  source: "main",
  receivedAt: "2026-11-23T12:00:00Z",
  headers: {},
  raw: "{}",
  rawBase64: null,
  redeliveryId: null,
};
const BROKEN: Sent = { outcome: "broken", error: "the connection was closed", durationMs: 1 };

function handingTo(sender: Sender) {
  const stop = new AbortController();
  const warned: string[] = [];
  const output = { ...processOutput("quiet", true), item: () => {}, warn: (text: string) => void warned.push(text) };
  const handing: Handing = {
    sender,
    reporter: { report: () => {}, close: async () => {} },
    makeRequest: () => ({ body: Buffer.from("{}"), headers: {} }),
    output,
    target: new URL("https://app.example/"),
    url: "https://app.example/",
    listener: undefined,
    signal: stop.signal,
  };
  return { handing, stop, warned };
}

/** Breaks each time; `onSend` is told how often. */
function breaking(onSend: (times: number) => void = () => {}) {
  let sent = 0;
  const send = async () => {
    onSend(++sent);
    return BROKEN;
  };
  return { send, close: () => {}, sent: () => sent };
}

it("keeps an event, and the cursor before it, while the app's certificate is not accepted", async () => {
  const target = await startRawTarget(() => {}, "valid");
  onTestFinished(() => target.close());
  const sender = openSender(new URL(target.url), { concurrency: 1, timeoutMs: 5000 });
  onTestFinished(() => sender.close());
  let tries = 0;
  const counting: Sender = {
    ...sender,
    send: (request) => {
      tries++;
      return sender.send(request);
    },
  };
  const { handing, stop, warned } = handingTo(counting);
  const cursors: string[] = [];
  const window = new Window(1, (cursor) => cursors.push(cursor), stop.signal);
  await window.start("1", () => handOver(EVENT, handing));
  await vi.waitFor(() => expect(tries).toBeGreaterThan(2), { timeout: 120_000 });
  stop.abort();
  await window.idle();
  expect(cursors).toEqual([]);
  expect(warned).toEqual([expect.stringMatching(/can't be reached: its certificate can't be verified .*Events wait until it responds\.$/)]);
});

it("counts a connection that broke twice as seen", async () => {
  const sender = breaking();
  expect(await handOver(EVENT, handingTo(sender).handing)).toBe(true);
  expect(sender.sent()).toBe(2);
});

it("does not count a break after it was stopped, and does not try again", async () => {
  const sender = breaking((times) => times === 2 && stop.abort());
  const { handing, stop } = handingTo(sender);
  expect(await handOver(EVENT, handing)).toBe(false);
  const waiting = breaking(() => setImmediate(() => later.stop.abort()));
  const later = handingTo(waiting);
  expect(await handOver(EVENT, later.handing)).toBe(false);
  expect([sender.sent(), waiting.sent()]).toEqual([2, 1]);
});

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
