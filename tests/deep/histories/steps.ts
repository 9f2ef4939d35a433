import fc from "fast-check";
import { pool } from "#lib/db/pool";
import { until } from "#tests/support/forwarding/senders";
import { forgetStatements, loseAnswerOfCommit, pauseBefore } from "#tests/support/statements";

/** Something that a process does in a world, by its name in a history that fails. */
export type Step<W> = { name: string; run: (world: W) => Promise<void> };

/** A step of a name. */
export const step = <W>(name: string, run: (world: W) => Promise<unknown>): Step<W> => ({
  name,
  run: async (world) => void (await run(world)),
});

/** One process waits before a statement, while another does something from beginning to end, or until it waits for the first. */
export const paused = <W>(one: Step<W>, statement: RegExp, other: Step<W>): Step<W> =>
  step(`${one.name}; paused before ${statement.source}: ${other.name}`, async (world) => {
    const pause = pauseBefore(statement);
    const running = one.run(world);
    running.catch(() => undefined);
    const isThere = await Promise.race([pause.reached.then(() => true), running.then(() => false)]);
    if (!isThere) forgetStatements(); // it had nothing to do there
    const meanwhile = other.run(world);
    meanwhile.catch(() => undefined);
    let ended = false;
    const end = () => {
      ended = true;
    };
    meanwhile.then(end, end);
    await until(async () => ended || (await isWaiting()), Boolean, 60_000); // of a run that is given little of the processor, too
    pause.release();
    await Promise.all([running, meanwhile]);
    forgetStatements();
  });

/** The answer to the commit that holds a statement is lost: whoever asked for it hears of an error. */
export const unanswered = <W>(one: Step<W>, statement: RegExp): Step<W> =>
  step(`${one.name}; the answer to its commit of ${statement.source} is lost`, async (world) => {
    loseAnswerOfCommit(statement);
    await one.run(world).catch((error: Error) => {
      if (!/terminated/.test(error.message)) throw error;
    });
    forgetStatements();
  });

async function isWaiting(): Promise<boolean> {
  const { rows } = await pool("queue").query<{ n: number }>(
    "SELECT count(*)::int AS n FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()",
  );
  return (rows[0]?.n ?? 0) > 0;
}

/** The product in a state that may be tried out; `settle` lets everything come to rest and compares it with what must be. */
type World = { settle: () => Promise<void> };

/**
 * Tries random histories of a world's steps.
 *
 * @throws with the shortest history that ends in what must not be, and the seed
 */
export async function tryHistories<W extends World>(make: () => Promise<W>, steps: Step<W>[], runs: number, seed: number): Promise<void> {
  const histories = fc.array(fc.constantFrom(...steps), { minLength: 1, maxLength: 12, size: "max" });
  const holds = fc.asyncProperty(histories, async (history) => {
    const world = await make();
    forgetStatements();
    try {
      for (const each of history) await each.run(world);
      await world.settle();
    } catch (error) {
      throw new Error(`${(error as Error).message}\n  after: ${history.map(({ name }) => name).join("\n         ")}`);
    }
  });
  await fc.assert(holds, { numRuns: runs, seed, endOnFailure: true });
}
