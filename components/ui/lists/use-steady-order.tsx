"use client";

import { type FocusEvent, useEffect, useRef, useState } from "react";
import { inSteadyOrder } from "#lib/client/steady-order";

/** A pointer that has not moved for so long is not about to press anything. Milliseconds. */
const POINTER_RESTS_MS = 5000;

/**
 * Rows that live updates don't move while a person is about to press a button in one of them: as long as the focus is
 * among them, and for 5 seconds after the pointer has moved over them, they keep their order, and new ones come last.
 *
 * @param rows as they are to stand otherwise
 * @returns the rows, and what their list must listen to
 */
export function useSteadyOrder<Row>(rows: Row[], idOf: (row: Row) => string) {
  const [held, setHeld] = useState<{ ids: string[]; byFocus: boolean; byPointer: boolean } | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const list = useRef<HTMLElement>(null);
  useEffect(() => () => clearTimeout(timer.current), []);
  const change = (by: { byFocus?: boolean; byPointer?: boolean }) =>
    setHeld((current) => {
      const { byFocus = false, byPointer = false } = { ...current, ...by };
      if (!byFocus && !byPointer) return null;
      if (current?.byFocus === byFocus && current.byPointer === byPointer) return current;
      return { ids: current?.ids ?? rows.map(idOf), byFocus, byPointer };
    });
  // A row that goes while it has the focus says nothing of it.
  useEffect(() => {
    if (held?.byFocus && !list.current?.contains(document.activeElement)) change({ byFocus: false });
  });
  const pointerRests = () => {
    clearTimeout(timer.current);
    change({ byPointer: false });
  };
  return {
    rows: held === null ? rows : inSteadyOrder(rows, held.ids, idOf),
    listeners: {
      onPointerMove: () => {
        clearTimeout(timer.current);
        timer.current = setTimeout(pointerRests, POINTER_RESTS_MS);
        change({ byPointer: true });
      },
      onPointerLeave: pointerRests,
      onFocus: ({ currentTarget }: FocusEvent<HTMLElement>) => {
        list.current = currentTarget;
        change({ byFocus: true });
      },
      onBlur: ({ currentTarget, relatedTarget }: FocusEvent<HTMLElement>) => {
        if (!currentTarget.contains(relatedTarget)) change({ byFocus: false });
      },
    },
  };
}
