"use client";

import { useEffect, useState } from "react";

const HIDDEN_MS = 60_000;

/** False once the page was hidden for a minute: over HTTP/1.1 a site has six connections, and background tabs must not hold them all. */
export function usePageVisible(): boolean {
  const [visible, setVisible] = useState(true);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    function change() {
      clearTimeout(timer);
      if (document.visibilityState === "visible") setVisible(true);
      else timer = setTimeout(() => setVisible(false), HIDDEN_MS);
    }
    document.addEventListener("visibilitychange", change);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", change);
    };
  }, []);
  return visible;
}
