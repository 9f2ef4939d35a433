"use client";

import { createContext, type ReactNode, useContext } from "react";
import { useTickingWords } from "#components/ui/time/clock";

const Moment = createContext<number | null>(null);

/** Sets the time that a board shows: a past time, or null for now. */
export function BoardClock({ asOf, children }: { asOf: string | null; children: ReactNode }) {
  return <Moment value={asOf === null ? null : Date.parse(asOf)}>{children}</Moment>;
}

/**
 * Ticking text about how long something has been in its place on the board.
 *
 * @param words formats the text from the board's time, in Unix milliseconds
 */
export function useBoardWords(words: (now: number) => string): string {
  const moment = useContext(Moment);
  return useTickingWords((now) => words(moment ?? now));
}

/** True while the board shows a past time. */
export const useIsPast = (): boolean => useContext(Moment) !== null;
