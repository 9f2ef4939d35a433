import { createServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { resetEnv } from "#lib/config/env";
import { openCheckedSocket } from "#lib/forwarding/checked-socket";
import { TEST_ENV } from "#tests/support/environment";

beforeAll(() => {
  resetEnv({ ...TEST_ENV, FORWARD_ALLOW: "app.example" });
});

/** A target that resets each connection 100 ms after it came. */
async function startResetting(): Promise<{ port: number; sockets: Socket[] }> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket.on("error", () => undefined));
    setTimeout(() => socket.resetAndDestroy(), 100);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return { port: (server.address() as { port: number }).port, sockets };
}

function uncaughtErrors(): Error[] {
  const errors: Error[] = [];
  const note = (error: Error) => errors.push(error);
  process.on("uncaughtException", note);
  onTestFinished(() => void process.off("uncaughtException", note));
  return errors;
}

test("a name that resolves after the time limit is not connected to, and a reset ends no process", async () => {
  const { port, sockets } = await startResetting();
  const uncaught = uncaughtErrors();
  const resolve = () => sleep(300, ["127.0.0.1"]);
  await expect(openCheckedSocket(`http://app.example:${port}/`, resolve, 100)).rejects.toMatchObject({ outcome: "connect_timeout" });
  await sleep(500);
  expect({ connections: sockets.length, uncaught }).toEqual({ connections: 0, uncaught: [] });
});

test("a connection that is given up during the TLS handshake is closed, and a reset ends no process", async () => {
  const { port, sockets } = await startResetting();
  const uncaught = uncaughtErrors();
  const opening = openCheckedSocket(`https://app.example:${port}/`, async () => ["127.0.0.1"], 50);
  await expect(opening).rejects.toMatchObject({ outcome: "connect_timeout" });
  await sleep(300);
  expect(sockets.map(({ destroyed }) => destroyed)).toEqual([true]);
  expect(uncaught).toEqual([]);
});
