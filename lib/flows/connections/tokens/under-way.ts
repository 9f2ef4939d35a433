import { once } from "#lib/context/once";

const underWay = () => once("token-work", () => new Set<Promise<unknown>>());

/** Notes work that may hold the only copy of tokens: a stop waits for it (docs/decisions/0032). */
export function noteTokenWork<T>(work: Promise<T>): Promise<T> {
  const noted = work.finally(() => underWay().delete(noted));
  underWay().add(noted);
  noted.catch(() => undefined); // the caller handles it
  return noted;
}

/** Resolves when no token request of this process is in flight and no tokens wait to be stored. */
export const tokenWorkSettled = async (): Promise<void> => {
  while (underWay().size > 0) await Promise.allSettled(underWay());
};
