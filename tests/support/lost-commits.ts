import type pg from "pg";
import { vi } from "vitest";

/**
 * Loses the answers to the next COMMITs of a pool: each is committed, and whoever asked is told that the connection broke.
 *
 * @returns how many were lost by now
 */
export function loseCommitAnswers(from: pg.Pool, times: number): () => number {
  let lost = 0;
  const connect = from.connect.bind(from) as () => Promise<pg.PoolClient>;
  const spy = vi.spyOn(from, "connect").mockImplementation((async (...given: []) => {
    const client = await connect(...given);
    if (given.length > 0 || lost >= times) return client;
    const query = client.query.bind(client) as (...args: unknown[]) => Promise<unknown>;
    client.query = (async (...args: unknown[]) => {
      const answer = await query(...args);
      if (args[0] !== "COMMIT" || lost >= times) return answer;
      lost += 1;
      client.query = query as never;
      if (lost >= times) spy.mockRestore();
      throw new Error("Connection terminated unexpectedly");
    }) as never;
    return client;
  }) as never);
  return () => lost;
}
