"use client";

import { createContext, type ReactNode, useContext } from "react";
import { useNow } from "#components/ui/clock";

const Moment = createContext<number | null>(null);

/** Sets the clock of a board: to a moment of the past, or (null) to now. */
export function BoardClock({ asOf, children }: { asOf: string | null; children: ReactNode }) {
  return <Moment value={asOf === null ? null : Date.parse(asOf)}>{children}</Moment>;
}

/** The time that the board's stays are counted to, Unix milliseconds. */
export function useBoardNow(): number {
  const now = useNow();
  return useContext(Moment) ?? now;
}

/** True while the board shows a moment of the past. */
export const useIsPast = (): boolean => useContext(Moment) !== null;
