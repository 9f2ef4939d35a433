/**
 * Returns the result of work, or `otherwise()` after `ms`; the work goes on. Node runs expired timers before it reads: a blocked process
 * reads once more before it gives up, so that nothing is lost that arrived in time.
 */
export async function inTime<T, U>(work: Promise<T>, ms: number, otherwise: () => U): Promise<T | U> {
  work.catch(() => undefined);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(() => setImmediate(resolve), ms);
  });
  try {
    return await Promise.race([work, late.then(otherwise)]);
  } finally {
    clearTimeout(timer);
  }
}
