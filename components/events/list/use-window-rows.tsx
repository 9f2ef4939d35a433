"use client";

import { type RefObject, startTransition, useEffect, useRef, useState } from "react";

/** Scroll positions are rounded to steps, so that not every pixel re-renders the table. */
const STEP_PX = 144;

type WindowRows = {
  first: number;
  last: number /** Height of the rows left out above and below, in pixels. */;
  before: number;
  after: number;
};

/** Returns the visible rows plus `beyond` on each side. Rows are `rowPx` high until measured; the server assumes a window of `firstPx`. */
export function useWindowRows(
  box: RefObject<HTMLElement | null>,
  keys: string[],
  { rowPx, beyond, firstPx }: { rowPx: number; beyond: number; firstPx: number },
): WindowRows {
  const heights = useRef(new Map<string, number>());
  const [, setMeasured] = useState(0);
  const [sight, setSight] = useState<{ step: number; px: number } | null>(null);
  useEffect(() => {
    const look = () => {
      const step = Math.floor(-(box.current?.getBoundingClientRect().top ?? 0) / STEP_PX);
      const px = window.innerHeight;
      setSight((old) => (old?.step === step && old.px === px ? old : { step, px }));
    };
    startTransition(look);
    window.addEventListener("scroll", look, { passive: true });
    window.addEventListener("resize", look);
    return () => {
      window.removeEventListener("scroll", look);
      window.removeEventListener("resize", look);
    };
  }, [box]);
  const rest = beyond * rowPx;
  const from = sight ? sight.step * STEP_PX - rest : 0;
  const to = sight ? (sight.step + 1) * STEP_PX + sight.px + rest : firstPx;
  const rows = rowsBetween(keys, (key) => heights.current.get(key) ?? rowPx, from, to);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the rows in the page change with the range and with the width of the window.
  useEffect(() => {
    let changed = false;
    for (const row of box.current?.querySelectorAll<HTMLElement>("[data-row-key]") ?? []) {
      const key = row.dataset.rowKey ?? "";
      changed ||= (heights.current.get(key) ?? rowPx) !== row.offsetHeight;
      heights.current.set(key, row.offsetHeight);
    }
    if (changed) setMeasured((times) => times + 1);
  }, [box, rowPx, rows.first, rows.last, sight?.px]);
  return rows;
}

/** Returns the rows that touch the pixels from `from` to `to`, counted from the first row's top; at least one. */
export function rowsBetween(keys: string[], heightOf: (key: string) => number, from: number, to: number): WindowRows {
  let at = 0;
  let first = -1;
  let last = -1;
  let before = 0;
  let end = 0;
  for (const [index, key] of keys.entries()) {
    const height = heightOf(key);
    if (first === -1 && (at + height > from || index === keys.length - 1)) [first, before] = [index, at];
    if (first !== -1 && (at < to || index === first)) [last, end] = [index, at + height];
    at += height;
  }
  return { first: Math.max(0, first), last, before, after: at - end };
}
