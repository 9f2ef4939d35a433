"use client";

import { useState } from "react";
import { cn } from "#components/ui/primitives/cn";
import { writeJson } from "#lib/contracts/json/exact-json";
import { CopyButton } from "./copy-button.tsx";
import { JsonNode } from "./json-node.tsx";
import { type JsonTools, JsonToolsProvider } from "./json-tools.tsx";

type JsonViewProps = { value: unknown; label: string; defaultDepth?: number; tools?: JsonTools; className?: string };

const DEEPEST = 12;
const NO_TOOLS: JsonTools = {};

/** Shows values as text, never interpreted. Long lists render 100 items at a time: a megabyte costs no more than its expanded part. */
export function JsonView({ value, label, defaultDepth = 2, tools = NO_TOOLS, className }: JsonViewProps) {
  const [depth, setDepth] = useState(defaultDepth);
  const everything = depth > defaultDepth;
  // A match may be at any depth.
  const openTo = tools.find ? DEEPEST : depth;
  const look = cn("max-h-[640px] overflow-auto p-3 pt-2.5 font-mono text-12", tools.onName ? "leading-6" : "leading-5");
  return (
    <div className={cn("relative rounded-md border border-line bg-sunken", className)}>
      <div className="absolute top-1 right-1 z-1 flex items-center gap-1 rounded-md bg-sunken">
        <button
          type="button"
          onClick={() => setDepth(everything ? defaultDepth : DEEPEST)}
          className="h-7 rounded-md px-2 text-12 text-muted hover:bg-hover hover:text-text"
        >
          {everything ? "Collapse" : "Expand"}
        </button>
        <CopyButton value={writeJson(value, 2)} label={`Copy ${label}`} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region has to be reachable by keyboard. */}
      <section aria-label={label} tabIndex={0} className={look}>
        <JsonToolsProvider value={tools}>
          <JsonNode key={openTo} path={[]} value={value} level={0} openTo={openTo} last />
        </JsonToolsProvider>
      </section>
    </div>
  );
}
