"use client";

import { useSyncExternalStore } from "react";

/** One timer for every ticking time on the page. */
const listeners = new Set<() => void>();
let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;

function tick() {
  now = Date.now();
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  if (timer === undefined) {
    now = Date.now();
    timer = setInterval(tick, 1000);
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) {
      clearInterval(timer);
      timer = undefined;
    }
  };
}

const serverNow = () => Math.floor(Date.now() / 1000) * 1000;

/** The current time in milliseconds, updated every second. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => now, serverNow);
}

/**
 * Text that depends on the current time. A page shows hundreds of these, and
 * most change once a minute: only those that change re-render.
 *
 * @param words makes the text from the current time in milliseconds
 */
export function useTickingWords(words: (now: number) => string): string {
  return useSyncExternalStore(
    subscribe,
    () => words(now),
    () => words(serverNow()),
  );
}
