"use client";

import { useEffect } from "react";
import type { Command } from "./commands.tsx";

/** Not in the first load. */
const moves = () => import("./row-moves.ts");

export function useRowCommands(): Command[] {
  useEffect(() => {
    const ended = new AbortController();
    moves().then(
      ({ remember }) => document.addEventListener("focusin", remember, { signal: ended.signal }),
      () => undefined,
    );
    return () => ended.abort();
  }, []);
  return COMMANDS;
}

const COMMANDS = (
  [
    ["Next row", "j", "next"],
    ["Previous row", "k", "previous"],
    ["Open row", "o", "open"],
    ["Select row", "x", "select"],
    ["Re-deliver row or selection", "r", "redeliver"],
    ["Resolve or dismiss row", "e", "end"],
  ] as const
).map(([label, keys, name]): Command => ({ label, keys, quiet: true, run: async () => (await moves())[name]() }));
