"use client";

import { useState } from "react";

type BarReaderProps = {
  label: string;
  count: number;
  wordsOf: (index: number) => string;
  onRead: (index: number) => void;
  onLeave: () => void;
};

/** Renders a visually hidden slider: the arrow keys move it, beginning with the last bar, and it reads out the bar. */
export function BarReader({ label, count, wordsOf, onRead, onLeave }: BarReaderProps) {
  const [at, setAt] = useState<number | null>(null);
  const last = Math.max(0, count - 1);
  const place = Math.min(at ?? last, last);
  const move = (to: number) => {
    setAt(to);
    onRead(to);
  };
  return (
    <input
      type="range"
      min={0}
      max={last}
      value={place}
      aria-label={`Read bar by bar: ${label}`}
      aria-valuetext={count === 0 ? "No bars" : wordsOf(place)}
      className="sr-only"
      onChange={({ target }) => move(Number(target.value))}
      onFocus={() => onRead(place)}
      onBlur={onLeave}
    />
  );
}
