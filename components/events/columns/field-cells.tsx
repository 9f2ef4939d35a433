"use client";

import { useQuery } from "@tanstack/react-query";
import { Cell } from "#components/ui/layout/table";
import { eventValuesQuery } from "#lib/client/queries/events/event-values";
import type { EventSummary } from "#lib/contracts/events/events";
import { FIELD_COLUMN } from "./use-columns.tsx";

/** The values of one event's payload fields, a cell each. */
export function FieldCells({ event, fields }: { event: EventSummary; fields: string[] }) {
  const { data, isError } = useQuery(eventValuesQuery(event, fields));
  return fields.map((path) => {
    const text = data?.[path];
    return (
      <Cell key={path} className={FIELD_COLUMN} title={text}>
        <span className="block w-28 truncate text-muted">{isError ? "Not loaded" : text}</span>
      </Cell>
    );
  });
}
