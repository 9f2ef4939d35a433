"use client";

import { useEffect, useState } from "react";

/** What was typed, and whether Enter ended it. */
export type TypedAhead = { text: string; entered: boolean };

/**
 * Keeps what is typed while a window with a field is still on its way: whoever
 * knows the key by heart goes on typing at once.
 *
 * @returns `listen`, to call when the window is asked for; `take`, for the window: ends it and gives what was typed
 */
export function useTypedAhead() {
  const [ahead] = useState(typedAhead);
  useEffect(() => () => void ahead.take(), [ahead]);
  return ahead;
}

function typedAhead() {
  let typed: TypedAhead = { text: "", entered: false };
  function onKey(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Enter") typed.entered = true;
    else if (event.key === "Backspace") typed.text = typed.text.slice(0, -1);
    else if (event.key.length === 1) typed.text += event.key;
    else return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }
  return {
    listen() {
      typed = { text: "", entered: false };
      document.addEventListener("keydown", onKey, true);
    },
    take(): TypedAhead {
      document.removeEventListener("keydown", onKey, true);
      return typed;
    },
  };
}
