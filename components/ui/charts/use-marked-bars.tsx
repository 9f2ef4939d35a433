"use client";

import { type PointerEvent, useState } from "react";
import type { BarChartProps } from "./chart-data.tsx";
import type { Span } from "./chart-plot.tsx";

export function useMarkedBars(count: number, onBrush: BarChartProps["onBrush"]) {
  const [marked, setMarked] = useState<Span | null>(null);
  const [dragging, setDragging] = useState(false);
  const barAt = ({ currentTarget, clientX }: PointerEvent<Element>) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    return Math.max(0, Math.min(count - 1, Math.floor(((clientX - left) / width) * count)));
  };
  const one = (at: number) => setMarked({ first: at, last: at });
  const drop = () => {
    setDragging(false);
    setMarked(null);
  };
  const handlers = {
    onPointerDown: (event: PointerEvent<Element>) => {
      one(barAt(event));
      if (!onBrush || event.button !== 0 || count === 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      setDragging(true);
    },
    onPointerMove: (event: PointerEvent<Element>) => {
      const at = barAt(event);
      if (dragging && marked) setMarked({ ...marked, last: at });
      else one(at);
    },
    onPointerUp: () => {
      if (dragging && marked) onBrush?.(marked.first, marked.last);
      if (dragging) drop();
    },
    onPointerCancel: drop,
    onPointerLeave: () => dragging || setMarked(null),
  };
  return { marked, handlers, read: one, leave: drop };
}
