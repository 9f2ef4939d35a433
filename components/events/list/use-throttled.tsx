"use client";

import { useEffect, useRef, useState } from "react";
import { throttle } from "#lib/client/feed/throttle";

/** Returns a stable function that runs the latest `run`: at once, then at most every `ms` milliseconds. */
export function useThrottled(run: () => unknown, ms: number): () => void {
  const newest = useRef(run);
  useEffect(() => {
    newest.current = run;
  });
  const [throttled] = useState(() => throttle(() => void newest.current(), ms));
  useEffect(() => throttled.cancel, [throttled]);
  return throttled.call;
}
