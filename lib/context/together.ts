/** Returns a function whose callers share an answer if they ask for the same key in one turn of the event loop. */
export function together<T>(): (key: string, ask: () => Promise<T>) => Promise<T> {
  const underWay = new Map<string, Promise<T>>();
  return (key, ask) => {
    const known = underWay.get(key);
    if (known) return known;
    const answer = ask();
    underWay.set(key, answer);
    // No longer than that: a caller that is woken later must not get an answer from before.
    setImmediate(() => underWay.delete(key));
    return answer;
  };
}
