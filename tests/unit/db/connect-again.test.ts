import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { connectAgainWhenBusy } from "#lib/db/pool";
import { holdEventLoop } from "#tests/support/hold-event-loop";

const TOO_LATE = "timeout exceeded when trying to connect";

/** A connection that fails so often, each time after `wait`. */
function failing(times: number, message: string, wait: () => unknown) {
  const server = { asked: 0 };
  const connect = async () => {
    server.asked += 1;
    await wait();
    if (server.asked <= times) throw new Error(message);
    return "connected";
  };
  return { server, connect };
}

test("connects again when this process held its event loop until the time was up", async () => {
  const { server, connect } = failing(1, TOO_LATE, () => holdEventLoop(40));
  expect(await connectAgainWhenBusy(connect)).toBe("connected");
  expect(server.asked).toBe(2);
});

test("gives up after three tries", async () => {
  const { server, connect } = failing(9, TOO_LATE, () => holdEventLoop(20));
  await expect(connectAgainWhenBusy(connect)).rejects.toThrow(TOO_LATE);
  expect(server.asked).toBe(3);
});

test.each([
  ["a server that said nothing while this process waited", TOO_LATE, () => sleep(500)],
  ["a failure that is not one of time", "password authentication failed", () => holdEventLoop(40)],
] as const)("tries once where it was %s", async (_, message, wait) => {
  const { server, connect } = failing(9, message, wait);
  await expect(connectAgainWhenBusy(connect)).rejects.toThrow(message);
  expect(server.asked).toBe(1);
});
