import { useEffect, useState } from "react";

export type TypedAhead = { text: string; entered: boolean };

/** Buffers keys from `listen` to `take`, while the code of a window with a field loads: users who know the shortcut type at once. */
export function useKeystrokeBuffer() {
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
