"use client";

import { useEffect, useState } from "react";

const PATIENCE_MS = 60_000;

/**
 * False after the page was hidden for a minute. A browser gives a site six
 * connections over HTTP/1.1: forgotten tabs must not hold them all.
 */
export function useWatched(): boolean {
  const [watched, setWatched] = useState(true);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    function change() {
      clearTimeout(timer);
      if (document.visibilityState === "visible") setWatched(true);
      else timer = setTimeout(() => setWatched(false), PATIENCE_MS);
    }
    document.addEventListener("visibilitychange", change);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", change);
    };
  }, []);
  return watched;
}
