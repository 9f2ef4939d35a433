/**
 * A round that lasts longer than this hangs: a batch is some 15 statements of at
 * most 30 s. Less would end a worker for its slow database, and with it a batch
 * that would have been applied. Milliseconds.
 */
const ROUND_LIMIT_MS = 600_000;

const rounds = new Map<string, number>();

/** Notes that a loop begins a round now. */
export function noteRound(loop: string, now = performance.now()): void {
  rounds.set(loop, now);
}

/** Forgets a loop: it has ended, or rests after an error. */
export function forgetRounds(loop: string): void {
  rounds.delete(loop);
}

/** The loops of this process whose round has lasted longer than any round can. */
export const hangingLoops = (now = performance.now()): string[] =>
  [...rounds].filter(([, since]) => now - since > ROUND_LIMIT_MS).map(([loop]) => loop);
