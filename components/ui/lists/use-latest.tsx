"use client";

import { type RefObject, useLayoutEffect, useRef } from "react";

/** Returns what was rendered last, for a timer or a listener that outlives the render which began it. */
export function useLatest<T>(value: T): Readonly<RefObject<T>> {
  const latest = useRef(value);
  useLayoutEffect(() => {
    latest.current = value;
  });
  return latest;
}
