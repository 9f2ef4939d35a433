"use client";

import { createContext, type ReactNode, useContext } from "react";
import { useTickingWords } from "#components/ui/time/clock";

const Moment = createContext<number | null>(null);

export function BoardClock({ asOf, children }: { asOf: string | null; children: ReactNode }) {
  return <Moment value={asOf === null ? null : Date.parse(asOf)}>{children}</Moment>;
}

/** Ticks while the board shows the present. `now` is the board's time, in Unix milliseconds. */
export function useBoardWords(words: (now: number) => string): string {
  const moment = useContext(Moment);
  return useTickingWords((now) => words(moment ?? now));
}

export const useIsPast = (): boolean => useContext(Moment) !== null;
