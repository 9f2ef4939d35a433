/** A batch is some 15 statements of at most 30 s: a lower limit would end a worker for a slow database. Milliseconds. */
const ROUND_LIMIT_MS = 600_000;

const rounds = new Map<string, number>();

export function noteRound(loop: string, now = performance.now()): void {
  rounds.set(loop, now);
}

/** Stops timing a loop that has ended, or rests after an error. */
export function forgetRounds(loop: string): void {
  rounds.delete(loop);
}

export const hangingLoops = (now = performance.now()): string[] =>
  [...rounds].filter(([, since]) => now - since > ROUND_LIMIT_MS).map(([loop]) => loop);
