"use client";

import { ChevronRight } from "lucide-react";
import { useState } from "react";
import { cn } from "#components/ui/primitives/cn";
import { countWords, formatNumber } from "#lib/contracts/counts/format-count";
import { isExactNumber } from "#lib/contracts/json/exact-json";
import { JsonName, JsonScalar } from "./json-scalar.tsx";
import { type JsonPath, useJsonTools } from "./json-tools.tsx";

type NodeProps = { name?: string; path: JsonPath; value: unknown; level: number; openTo: number; last: boolean };

const PAGE = 100;

export function JsonNode({ name, path, value, level, openTo, last }: NodeProps) {
  const [open, setOpen] = useState(level < openTo);
  const { onName } = useJsonTools();
  const comma = last ? null : <span className="text-faint">,</span>;
  if (typeof value !== "object" || value === null || isExactNumber(value)) {
    return (
      <div className="pl-4">
        <JsonName path={path} name={name} />
        <JsonScalar path={path} value={value} />
        {comma}
      </div>
    );
  }
  const [start, end] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  return (
    <div>
      <div className="flex items-start">
        <button
          type="button"
          aria-expanded={open}
          {...(onName ? { "aria-label": `${open ? "Collapse" : "Expand"} ${name ?? "this value"}` } : {})}
          onClick={() => setOpen(!open)}
          className={cn(
            "flex min-h-6 max-w-full items-start rounded-sm py-0.5 text-left hover:bg-hover",
            onName && "-ml-1 w-6 shrink-0 pl-1",
          )}
        >
          <ChevronRight aria-hidden className={cn("mt-1 mr-1 size-3 shrink-0 text-faint transition-transform", open && "rotate-90")} />
          {onName ? null : <Opening name={name} path={path} open={open} start={start} end={end} value={value} />}
        </button>
        {onName ? (
          <div className="py-0.5">
            <Opening name={name} path={path} open={open} start={start} end={end} value={value} />
          </div>
        ) : null}
        {open ? null : comma}
      </div>
      {open ? (
        <>
          <Children path={path} value={value} level={level} openTo={openTo} />
          <div className="pl-4">
            <span className="text-faint">{end}</span>
            {comma}
          </div>
        </>
      ) : null}
    </div>
  );
}

type OpeningProps = { name: string | undefined; path: JsonPath; open: boolean; start: string; end: string; value: object };

function Opening({ name, path, open, start, end, value }: OpeningProps) {
  const length = Object.keys(value).length;
  const noun = Array.isArray(value) ? "item" : "field";
  return (
    <span>
      <JsonName path={path} name={name} />
      <span className="text-faint">{open ? start : `${start}…${end}`}</span>
      {open ? null : <span className="ml-2 text-faint">{countWords(length, noun)}</span>}
    </span>
  );
}

type ChildrenProps = { path: JsonPath; value: object; level: number; openTo: number };

function Children({ path, value, level, openTo }: ChildrenProps) {
  const [shown, setShown] = useState(PAGE);
  const list = Array.isArray(value);
  const entries = Object.entries(value);
  return (
    <div className="ml-1.5 border-l border-line pl-2.5">
      {entries.slice(0, shown).map(([key, item], index) => (
        <JsonNode
          key={key}
          {...(list ? {} : { name: key })}
          path={[...path, list ? Number(key) : key]}
          value={item}
          level={level + 1}
          openTo={openTo}
          last={index === entries.length - 1}
        />
      ))}
      {entries.length > shown ? (
        <button type="button" onClick={() => setShown(shown + PAGE)} className="ml-4 text-accent-text hover:underline">
          {`Show ${Math.min(PAGE, entries.length - shown)} more of ${formatNumber(entries.length - shown)}`}
        </button>
      ) : null}
    </div>
  );
}
