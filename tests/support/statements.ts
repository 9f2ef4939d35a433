import pg from "pg";
import { afterEach } from "vitest";

// Delays or cuts this process's traffic to the database at a named statement: one process among others, at its worst moment.

type Send = (this: pg.Client, ...values: unknown[]) => unknown;
type Pause = { statement: RegExp; reached: () => void; released: Promise<void> };

let pauses: Pause[] = [];
let losses: RegExp[] = [];
let failures: { statement: RegExp; after: RegExp }[] = [];
const sinceBegin = new WeakMap<pg.Client, string[]>();

const send = pg.Client.prototype.query as Send;

const textOf = (first: unknown): string => (typeof first === "string" ? first : ((first as { text?: string } | null)?.text ?? ""));

function watched(this: pg.Client, ...values: unknown[]): unknown {
  const text = textOf(values[0]);
  if (text.startsWith("BEGIN")) sinceBegin.set(this, []);
  else sinceBegin.get(this)?.push(text);
  const pause = pauses.find(({ statement }) => statement.test(text));
  if (pause) {
    pauses = pauses.filter((each) => each !== pause);
    pause.reached();
    const sent = pause.released.then(() => send.apply(this, values));
    return typeof values.at(-1) === "function" ? undefined : sent; // a pool's own query takes its answer by a callback
  }
  const failure = failures.find(({ statement, after }) => statement.test(text) && sinceBegin.get(this)?.some((each) => after.test(each)));
  if (failure) {
    failures = failures.filter((each) => each !== failure);
    return Promise.reject(new Error("Connection terminated unexpectedly"));
  }
  if (text === "COMMIT") {
    const lost = losses.find((statement) => sinceBegin.get(this)?.some((each) => statement.test(each)));
    if (lost) {
      losses = losses.filter((each) => each !== lost);
      return committedUnheard(send.apply(this, values) as Promise<unknown>);
    }
  }
  return send.apply(this, values);
}

async function committedUnheard(commit: Promise<unknown>): Promise<never> {
  await commit;
  throw new Error("Connection terminated unexpectedly");
}

/** Lets the tests of a file hold up or cut what this process sends to the database in transactions. */
export function useStatements(): void {
  pg.Client.prototype.query = watched as typeof pg.Client.prototype.query;
  afterEach(() => {
    pauses = [];
    losses = [];
    failures = [];
  });
}

/** The next transaction with this statement is committed, and its process does not hear of it. */
export function loseAnswerOfCommit(statement: RegExp): void {
  losses.push(statement);
}

/** The next transaction with the statement `after` fails instead of sending `statement`: it is undone. */
export function failBefore(statement: RegExp, after: RegExp): void {
  failures.push({ statement, after });
}

/** Forgets what was to be held up or cut and has not come. */
export function forgetStatements(): void {
  losses = [];
  pauses = [];
}

/**
 * Holds up the process that sends this statement next, before it is sent.
 *
 * @returns `reached`: settles when it waits there; `release` lets it go on
 */
export function pauseBefore(statement: RegExp): { reached: Promise<void>; release: () => void } {
  const reached = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  pauses.push({ statement, reached: reached.resolve, released: released.promise });
  return { reached: reached.promise, release: released.resolve };
}
