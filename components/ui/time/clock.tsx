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

export function useNow(): number {
  return useSyncExternalStore(subscribe, () => now, serverNow);
}

/** Re-renders only if the words change: a page has hundreds, and most change once a minute. `now` is in milliseconds. */
export function useTickingWords(words: (now: number) => string): string {
  return useSyncExternalStore(
    subscribe,
    () => words(now),
    () => words(serverNow()),
  );
}
