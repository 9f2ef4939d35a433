"use client";

import { createContext, type ReactNode, useContext } from "react";

export type JsonPath = readonly (string | number)[];

export type JsonTools = {
  find?: string;
  onName?: (path: JsonPath) => void;
  hrefOf?: (path: JsonPath, value: unknown) => string | null;
};

const ToolsContext = createContext<JsonTools>({});

export const JsonToolsProvider = ToolsContext;
export const useJsonTools = (): JsonTools => useContext(ToolsContext);

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
