"use client";

import { useQuery } from "@tanstack/react-query";
import { Cell } from "#components/ui/layout/table";
import { usePageQuery } from "#components/ui/lists/use-page-query";
import { eventValuesQuery } from "#lib/client/queries/events/event-values";
import { filterFor } from "#lib/client/queries/events/payload-filter";
import type { EventSummary } from "#lib/contracts/events/events";
import { FIELD_COLUMN } from "./use-columns.tsx";

export function FieldCells({ event, fields }: { event: EventSummary; fields: string[] }) {
  const { data, isError } = useQuery(eventValuesQuery(event, fields));
  return fields.map((path) => {
    const text = data?.[path];
    return (
      <Cell key={path} className={FIELD_COLUMN} title={text}>
        <span className="flex w-28 text-muted">
          {isError ? "Not loaded" : text === undefined ? null : <Value path={path} text={text} />}
        </span>
      </Cell>
    );
  });
}

/** A list's values are joined into one text, which the search doesn't know. */
const ofList = (text: string): boolean => text.includes(", ");

function Value({ path, text }: { path: string; text: string }) {
  const { query, change } = usePageQuery();
  const term = ofList(text) ? null : filterFor(path.split("."), text);
  if (term === null) return <span className="truncate">{text}</span>;
  const q = query.get("q") ?? "";
  return (
    <button
      type="button"
      title={`Filter by ${term}`}
      aria-label={`${text}: filter by this value`}
      className="relative z-1 truncate rounded-sm decoration-dotted underline-offset-2 hover:text-text hover:underline"
      onClick={() => change({ q: ` ${q} `.includes(` ${term} `) ? q : `${q} ${term}`.trim() })}
    >
      {text}
    </button>
  );
}
