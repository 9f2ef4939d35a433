"use client";

import { ChevronRight } from "lucide-react";
import { useState } from "react";
import { cn } from "#components/ui/cn";

type NodeProps = { name?: string; value: unknown; level: number; openTo: number; last: boolean };

const PAGE = 100;

function Scalar({ value }: { value: unknown }) {
  if (typeof value === "string") return <span className="whitespace-pre-wrap break-all text-fine">{JSON.stringify(value)}</span>;
  if (typeof value === "number") return <span className="text-working">{String(value)}</span>;
  return <span className="text-attention">{String(value)}</span>;
}

function Name({ name }: { name: string | undefined }) {
  if (name === undefined) return null;
  return (
    <>
      <span className="break-all text-accent-text">{JSON.stringify(name)}</span>
      <span className="text-faint">: </span>
    </>
  );
}

/** One value of the tree with all that is below it. */
export function JsonNode({ name, value, level, openTo, last }: NodeProps) {
  const [open, setOpen] = useState(level < openTo);
  const [shown, setShown] = useState(PAGE);
  const comma = last ? null : <span className="text-faint">,</span>;
  if (typeof value !== "object" || value === null) {
    return (
      <div className="pl-4">
        <Name name={name} />
        <Scalar value={value} />
        {comma}
      </div>
    );
  }
  const list = Array.isArray(value);
  const entries = list ? value.map((item, index) => [String(index), item] as const) : Object.entries(value);
  const [start, end] = list ? ["[", "]"] : ["{", "}"];
  const count = `${entries.length} ${list ? (entries.length === 1 ? "item" : "items") : entries.length === 1 ? "field" : "fields"}`;
  return (
    <div>
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="flex min-h-6 max-w-full items-start rounded-sm py-0.5 text-left hover:bg-hover"
      >
        <ChevronRight aria-hidden className={cn("mt-1 mr-1 size-3 shrink-0 text-faint transition-transform", open && "rotate-90")} />
        <span>
          <Name name={name} />
          <span className="text-faint">{open ? start : `${start}…${end}`}</span>
          {open ? null : <span className="ml-2 text-faint">{count}</span>}
          {open ? null : comma}
        </span>
      </button>
      {open ? (
        <>
          <div className="ml-1.5 border-l border-line pl-2.5">
            {entries.slice(0, shown).map(([key, item], index) => (
              <JsonNode
                key={key}
                {...(list ? {} : { name: key })}
                value={item}
                level={level + 1}
                openTo={openTo}
                last={index === entries.length - 1}
              />
            ))}
            {entries.length > shown ? (
              <button type="button" onClick={() => setShown(shown + PAGE)} className="ml-4 text-accent-text hover:underline">
                {`Show ${Math.min(PAGE, entries.length - shown)} more of ${entries.length - shown}`}
              </button>
            ) : null}
          </div>
          <div className="pl-4">
            <span className="text-faint">{end}</span>
            {comma}
          </div>
        </>
      ) : null}
    </div>
  );
}
