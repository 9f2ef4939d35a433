/**
 * A function that runs `run` one at a time. Calls during a run are followed by
 * one more: what they are about may have changed after the run had read it.
 */
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
