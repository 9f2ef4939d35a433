/** Returns a function that never runs twice at once. Calls during a run cause one more: the run may have read its data before. */
export function oneAtATime(run: () => Promise<unknown>): () => void {
  let running = false;
  let again = false;
  async function call() {
    again = running;
    if (running) return;
    running = true;
    try {
      do {
        again = false;
        await run();
      } while (again);
    } finally {
      running = false;
    }
  }
  return () => void call();
}
