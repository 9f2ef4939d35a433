import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { onNotification } from "#lib/background/loop";
import { pool } from "#lib/db/pool";
import { useDatabase } from "#tests/support/database";

useDatabase();

const HOUR_MS = 3_600_000;

test("a loop works while there is work, rests until it is notified, and misses no notification of its own round", async () => {
  const abort = new AbortController();
  const notify = () => pool().query("SELECT pg_notify('signalbox_appended', '')");
  let rounds = 0;
  let atWork = 3;
  const ended = onNotification("appended", HOUR_MS, async () => {
    rounds += 1;
    atWork -= 1;
    return atWork > 0;
  })(abort.signal);
  // Beginning to listen wakes it too.
  await expect.poll(() => rounds).toBeGreaterThanOrEqual(3);
  await sleep(300);
  const rested = rounds;
  await sleep(100);
  expect(rounds).toBe(rested);
  await notify();
  await expect.poll(() => rounds).toBe(rested + 1);
  abort.abort();
  await ended;
});
