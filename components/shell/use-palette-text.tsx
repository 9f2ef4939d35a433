"use client";

import { useEffect, useRef, useState } from "react";
import type { TypedAhead } from "#components/shell/use-typed-ahead";

/** The field's text: it begins with what was typed before the field was there, and goes on as that did. */
export function usePaletteText(takeTyped: () => TypedAhead) {
  const [text, setText] = useState("");
  const [entered, setEntered] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  // The field has the focus by now: no key is lost between the two.
  useEffect(() => {
    const typed = takeTyped();
    if (typed.text !== "") setText(typed.text);
    setEntered(typed.entered);
  }, [takeTyped]);
  useEffect(() => {
    if (!entered) return;
    // The list has found what matches by the next frame.
    const frame = requestAnimationFrame(() => input.current?.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true })));
    return () => cancelAnimationFrame(frame);
  }, [entered]);
  return { text, setText, input };
}
