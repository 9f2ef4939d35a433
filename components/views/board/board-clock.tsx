"use client";

import { createContext, type ReactNode, useContext } from "react";
import { useTickingWords } from "#components/ui/clock";

const Moment = createContext<number | null>(null);

/** Sets the clock of a board: to a moment of the past, or (null) to now. */
export function BoardClock({ asOf, children }: { asOf: string | null; children: ReactNode }) {
  return <Moment value={asOf === null ? null : Date.parse(asOf)}>{children}</Moment>;
}

/**
 * Words that tell how long something has been where it is on the board.
 *
 * @param words makes them from the time that the board's stays are counted to, in milliseconds
 */
export function useBoardWords(words: (now: number) => string): string {
  const moment = useContext(Moment);
  return useTickingWords((now) => words(moment ?? now));
}

/** True while the board shows a moment of the past. */
export const useIsPast = (): boolean => useContext(Moment) !== null;
