import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Cell } from "#components/ui/layout/table";
import { usePageQuery } from "#components/ui/lists/use-page-query";
import { Checkbox } from "#components/ui/primitives/checkbox";
import { Input } from "#components/ui/primitives/input";
import { filterFor } from "#lib/client/format/payload-filter";
import { eventFieldsQuery, eventValuesQuery } from "#lib/client/queries/event-fields";
import { visible } from "#lib/contracts/api/plain-text";
import type { EventSummary } from "#lib/contracts/events/events";
import { COLUMNS, type ColumnName, FIELD_COLUMN, MAX_FIELDS, useColumns } from "./use-columns.tsx";

const NAMES = Object.keys(COLUMNS) as ColumnName[];

export function ColumnsForm() {
  const { hidden, fields, toggle, toggleField } = useColumns();
  const { data = [], isPending, isError } = useQuery(eventFieldsQuery);
  const [text, setText] = useState("");
  const known = [...new Set([...fields, ...data.map(({ path }) => path)])];
  const shown = known.filter((path) => path.toLowerCase().includes(text.trim().toLowerCase()));
  const full = fields.length >= MAX_FIELDS;
  return (
    <div className="flex w-64 flex-col gap-3 p-1">
      <fieldset className="flex flex-col gap-2">
        <legend className="sr-only">Columns</legend>
        {NAMES.map((name) => (
          <Checkbox key={name} checked={!hidden.includes(name)} onCheckedChange={(on) => toggle(name, on)}>
            {COLUMNS[name]}
          </Checkbox>
        ))}
      </fieldset>
      <fieldset className="flex flex-col gap-2 border-line border-t pt-3">
        <legend className="sr-only">Payload fields</legend>
        <p className="text-12 text-muted">Payload fields, up to {MAX_FIELDS}</p>
        <Input aria-label="Find a payload field" placeholder="Find a field" value={text} onChange={({ target }) => setText(target.value)} />
        <div className="-m-1 flex max-h-56 flex-col gap-2 overflow-y-auto p-1">
          {shown.map((path) => (
            <Checkbox
              key={path}
              checked={fields.includes(path)}
              disabled={full && !fields.includes(path)}
              onCheckedChange={(on) => toggleField(path, on)}
            >
              <span className="break-all font-mono text-12">{path}</span>
            </Checkbox>
          ))}
        </div>
        {shown.length > 0 ? null : (
          <p className="text-12 text-muted">
            {isPending
              ? "Loading payload fields."
              : isError
                ? "Couldn't load the payload fields. Close and open this menu to try again."
                : "No payload field matches."}
          </p>
        )}
      </fieldset>
    </div>
  );
}

export function FieldCells({ event, fields }: { event: EventSummary; fields: string[] }) {
  const { data, isError } = useQuery(eventValuesQuery(event, fields));
  return fields.map((path) => {
    const text = data?.[path];
    return (
      <Cell key={path} className={FIELD_COLUMN} title={text && visible(text)}>
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
  if (term === null) return <span className="truncate">{visible(text)}</span>;
  const q = query.get("q") ?? "";
  return (
    <button
      type="button"
      title={`Filter by ${term}`}
      aria-label={`${text}: filter by this value`}
      className="relative z-1 truncate rounded-sm decoration-dotted underline-offset-2 hover:text-text hover:underline"
      onClick={() => change({ q: ` ${q} `.includes(` ${term} `) ? q : `${q} ${term}`.trim() })}
    >
      {visible(text)}
    </button>
  );
}
