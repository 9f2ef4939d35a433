/** Returns a function that runs at once, then at most every `ms`; the last call of a burst is never lost. `cancel` drops a waiting one. */
export function throttle(run: () => void, ms: number): { call: () => void; cancel: () => void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let again = false;
  function call() {
    if (timer !== undefined) {
      again = true;
      return;
    }
    run();
    timer = setTimeout(() => {
      timer = undefined;
      if (again) {
        again = false;
        call();
      }
    }, ms);
  }
  return { call, cancel: () => clearTimeout(timer) };
}
