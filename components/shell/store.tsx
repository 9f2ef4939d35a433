"use client";

import { useSyncExternalStore } from "react";

/**
 * A value that parts of a page share while it changes. In a context it would
 * make React throw away what still streams in below it, and draw that anew.
 */
export class Store<T> {
  readonly initial: T;
  private value: T;
  private readonly listeners = new Set<() => void>();

  constructor(initial: T) {
    this.initial = initial;
    this.value = initial;
  }

  readonly get = (): T => this.value;

  readonly set = (value: T): void => {
    if (Object.is(value, this.value)) return;
    this.value = value;
    for (const listener of this.listeners) listener();
  };

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => {
      this.listeners.delete(listener);
    };
  };
}

/** What the store holds; the component is drawn again when that changes. */
export function useStore<T>({ subscribe, get, initial }: Store<T>): T {
  return useSyncExternalStore(subscribe, get, () => initial);
}

/** A part of what the store holds, itself a value that stays the same while it does not change: drawn again for that alone. */
export function usePart<T, P>({ subscribe, get, initial }: Store<T>, part: (value: T) => P): P {
  return useSyncExternalStore(
    subscribe,
    () => part(get()),
    () => part(initial),
  );
}
