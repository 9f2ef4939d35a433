"use client";

import type { MouseEvent } from "react";

/** First stop of the Tab key. It adds no history entry: Next can't return to one that it did not make. */
export function SkipLink({ target }: { target: string }) {
  function skip(event: MouseEvent) {
    const content = document.getElementById(target);
    if (!content) return;
    event.preventDefault();
    content.focus();
  }
  return (
    <a
      href={`#${target}`}
      onClick={skip}
      className="fixed top-2 left-2 z-50 -translate-y-16 rounded-md bg-accent px-3 py-1.5 text-13 font-medium text-accent-contrast focus:translate-y-0"
    >
      Skip to content
    </a>
  );
}
