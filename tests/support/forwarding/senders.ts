import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { afterEach } from "vitest";
import { pool } from "#lib/db/pool";
import { runSenders } from "#lib/flows/forwarding/sending/run-senders";
import { makeWorkspace } from "../webhooks.ts";
import { makeDestination } from "./destinations.ts";
import { startTarget } from "./target.ts";

/** Runs the senders of a worker until they are stopped. */
export function startSenders(): { stop: () => Promise<void> } {
  const stopping = new AbortController();
  const running = runSenders(stopping.signal);
  return {
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}

type Opened = { close?: () => Promise<void>; stop?: () => Promise<void> };

/**
 * Targets and senders of the tests of a file. After each test all of them are
 * ended, and its destinations are deleted: no later sender finds them.
 *
 * @returns `target` starts one as `startTarget` does; `withDestination` makes a workspace with a destination to one; `open` takes
 *   what else is to be ended
 */
export function useTargets() {
  const open: Opened[] = [];
  const target: typeof startTarget = async (...answer) => {
    const started = await startTarget(...answer);
    open.push(started);
    return started;
  };
  afterEach(async () => {
    // Targets first: then nothing is waited for that is in flight.
    const all = open.splice(0);
    for (const each of all) await each.close?.();
    for (const each of all) await each.stop?.();
    // A later test's target may have the port of one of these.
    await pool().query("UPDATE destinations SET deleted_at = now()");
    await pool().query("UPDATE alert_channels SET deleted_at = now()");
    await pool().query("DELETE FROM alert_sends");
  });
  const withDestination = async (settings: Record<string, unknown> = {}, ...answer: Parameters<typeof startTarget>) => {
    const made = await makeWorkspace();
    const { url, received } = await target(...answer);
    const { id, secret } = await makeDestination(made.workspaceId, { url, ...settings });
    return { ...made, url, received, id, secret };
  };
  return { open, target, withDestination };
}

/** Waits until something is so. @throws Error when it is not within the time, with what it was last */
export async function until<T>(read: () => T | Promise<T>, isSo: (value: T) => boolean, ms = 60_000): Promise<T> {
  const end = Date.now() + ms;
  for (;;) {
    const value = await read();
    if (isSo(value)) return value;
    if (Date.now() > end) throw new Error(`it did not become so within ${ms} ms: ${JSON.stringify(value)}`);
    await sleep(20);
  }
}

/** Returns how many deliveries of a destination are in each state. */
export async function countStates(destinationId: string): Promise<Record<string, number>> {
  const { rows } = await pool().query<{ state: string; n: number }>(
    "SELECT state, count(*) AS n FROM forward_deliveries WHERE destination_id = $1 GROUP BY state",
    [destinationId],
  );
  return Object.fromEntries(rows.map(({ state, n }) => [state, n]));
}

/** Waits until something is equal to what is wanted. */
export const untilIs = <T>(read: () => T | Promise<T>, wanted: T): Promise<T> => until(read, (value) => isDeepStrictEqual(value, wanted));

/** Waits until there are as many as that, or more. */
export const untilAtLeast = (read: () => number | Promise<number>, least: number): Promise<number> =>
  until(read, (count) => count >= least);

/** Waits until so many have arrived, and no more. */
export const untilArrived = (received: unknown[], count: number): Promise<number> => untilIs(() => received.length, count);

/** Waits until as many deliveries of a destination are in these states. */
export const untilStates = (destinationId: string, wanted: Record<string, number>): Promise<Record<string, number>> =>
  until(
    () => countStates(destinationId),
    (states) => Object.entries(wanted).every(([state, count]) => states[state] === count),
  );

/** Makes what waits for a later try or probe due now, again and again, as if time went fast. */
export function hurry(): { stop: () => Promise<void> } {
  const timer = setInterval(() => {
    void pool()
      .query("UPDATE forward_deliveries SET due_at = now() - interval '1 second' WHERE state = 'pending' AND due_at > now()")
      .catch(() => undefined);
  }, 50);
  return { stop: async () => clearInterval(timer) };
}
