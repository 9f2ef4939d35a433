import { type RefObject, useLayoutEffect, useRef } from "react";

/** Holds the last rendered value, for a timer or listener that outlives its render. */
export function useLatest<T>(value: T): Readonly<RefObject<T>> {
  const latest = useRef(value);
  useLayoutEffect(() => {
    latest.current = value;
  });
  return latest;
}
