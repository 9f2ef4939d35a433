import { randomInt } from "node:crypto";

/** For each of at most 30 workers of a test run. */
const PORTS = 600;

let next = randomInt(PORTS);

/**
 * Returns a port for a server that closes and listens again, or for a process that listens later: below those that the system gives
 * for port 0 (from 32768 on), and another one for each worker.
 */
export function ownPort(): number {
  next = (next + 1) % PORTS;
  return 11_000 + Number(process.env.VITEST_POOL_ID ?? 0) * PORTS + next;
}
