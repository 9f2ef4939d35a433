"use client";

import { createContext, type ReactNode, useContext } from "react";

export type JsonPath = readonly (string | number)[];

/** What a tree lets people do beyond reading: all of it may be absent. */
export type JsonTools = {
  /** Marks this text, and opens what holds it. */
  find?: string;
  /** A press on a name. */
  onName?: (path: JsonPath) => void;
  /** Where a value leads; null where it leads nowhere. */
  hrefOf?: (path: JsonPath, value: unknown) => string | null;
};

const ToolsContext = createContext<JsonTools>({});

export const JsonToolsProvider = ToolsContext;
export const useJsonTools = (): JsonTools => useContext(ToolsContext);

/** Text with what is looked for marked. */
export function Marked({ text }: { text: string }): ReactNode {
  const { find = "" } = useJsonTools();
  if (find === "") return text;
  const parts: ReactNode[] = [];
  const lower = text.toLowerCase();
  const needle = find.toLowerCase();
  let from = 0;
  for (let at = lower.indexOf(needle); at !== -1 && parts.length < 100; at = lower.indexOf(needle, from)) {
    parts.push(
      text.slice(from, at),
      <mark key={at} className="rounded-sm bg-attention-surface text-text outline-1 outline-attention-line">
        {text.slice(at, at + needle.length)}
      </mark>,
    );
    from = at + needle.length;
  }
  return [...parts, text.slice(from)];
}
