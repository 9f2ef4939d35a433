/**
 * Lets those who ask for the same in one turn of the event loop share an answer.
 *
 * @returns asks, unless somebody just has
 */
export function together<T>(): (key: string, ask: () => Promise<T>) => Promise<T> {
  const underWay = new Map<string, Promise<T>>();
  return (key, ask) => {
    const known = underWay.get(key);
    if (known) return known;
    const answer = ask();
    underWay.set(key, answer);
    // Not for longer: who is woken by something later must not be given an answer from before it.
    setImmediate(() => underWay.delete(key));
    return answer;
  };
}
