"use client";

import { useEffect, useRef, useState } from "react";
import { throttle } from "#lib/client/throttle";

/**
 * A throttled function that stays the same and always runs the newest `run`:
 * at once, then at most every `ms`.
 */
export function useThrottled(run: () => unknown, ms: number): () => void {
  const newest = useRef(run);
  useEffect(() => {
    newest.current = run;
  });
  const [throttled] = useState(() => throttle(() => void newest.current(), ms));
  useEffect(() => throttled.cancel, [throttled]);
  return throttled.call;
}
