"use client";

import { useEffect, useRef, useState } from "react";
import type { TypedAhead } from "#components/shell/palette/keystroke-buffer";

/** Returns the field's text. It starts with the text typed before the field had loaded, and repeats an Enter pressed then. */
export function usePaletteText(takeTyped: () => TypedAhead) {
  const [text, setText] = useState("");
  const [entered, setEntered] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  // The field has the focus by now, so no key is lost in between.
  useEffect(() => {
    const typed = takeTyped();
    if (typed.text !== "") setText(typed.text);
    setEntered(typed.entered);
  }, [takeTyped]);
  useEffect(() => {
    if (!entered) return;
    // The list has its matches by the next frame.
    const frame = requestAnimationFrame(() => input.current?.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true })));
    return () => cancelAnimationFrame(frame);
  }, [entered]);
  return { text, setText, input };
}
