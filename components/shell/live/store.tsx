import { useSyncExternalStore } from "react";

/** Shared changing value. As a context value, a change would make React discard and re-render content still streaming in below it. */
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

export function useStore<T>({ subscribe, get, initial }: Store<T>): T {
  return useSyncExternalStore(subscribe, get, () => initial);
}

/** Returns a part of the store's value; the component re-renders only when that part changes. */
export function usePart<T, P>({ subscribe, get, initial }: Store<T>, part: (value: T) => P): P {
  return useSyncExternalStore(
    subscribe,
    () => part(get()),
    () => part(initial),
  );
}
