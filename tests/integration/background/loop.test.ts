import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { onNotification } from "#lib/background/loop";
import { listen } from "#lib/db/notifications";
import { pool } from "#lib/db/pool";
import { useDatabase } from "#tests/support/database";

useDatabase();

const HOUR_MS = 3_600_000;

test("a loop works while there is work, rests until it is notified, and misses no notification of its own round", async () => {
  const abort = new AbortController();
  const notify = () => pool().query("SELECT pg_notify('signalbox_appended', '')");
  // Beginning to listen wakes every loop.
  await new Promise<void>((resolve) => listen("appended", () => resolve()));
  let rounds = 0;
  let atWork = 3;
  const ended = onNotification("appended", HOUR_MS, async () => {
    rounds += 1;
    atWork -= 1;
    return atWork > 0;
  })(abort.signal);
  await expect.poll(() => rounds).toBe(3);
  await sleep(100);
  expect(rounds).toBe(3);
  await notify();
  await expect.poll(() => rounds).toBe(4);
  abort.abort();
  await ended;
});
