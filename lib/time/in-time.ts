/**
 * The result of some work, or something else when it is not there in time. The
 * work goes on either way; when it fails after its time, nobody hears of it.
 * Node runs timers that have expired before it reads: a process that held its
 * event loop reads once more before it gives up, so that nothing is lost that
 * has arrived in time.
 *
 * @param ms how long to wait, in milliseconds
 * @param otherwise what to answer then; what it throws is thrown
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
