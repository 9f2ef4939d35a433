/** Holds this process's event loop so many milliseconds, and takes no processor. */
export const holdEventLoop = (ms: number): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
