import { type FocusEvent, useEffect, useRef, useState } from "react";

/** Milliseconds after which a pointer that rests is not about to press anything. */
const POINTER_RESTS_MS = 5000;

/** Keeps rows in order, new ones last, while they have the focus or the pointer moves over them, so that none is moved before a press. */
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
  // A row that is removed while it has the focus fires no blur event.
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

/** Returns rows in the order in which they were first seen: those of `ids`, then newer ones. Removed rows leave no gap. */
export function inSteadyOrder<Row>(rows: readonly Row[], ids: readonly string[], idOf: (row: Row) => string): Row[] {
  const places = new Map(ids.map((id, place) => [id, place]));
  const placeOf = (row: Row) => places.get(idOf(row)) ?? ids.length;
  return rows.toSorted((a, b) => placeOf(a) - placeOf(b));
}
