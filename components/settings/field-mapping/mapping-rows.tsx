import { Plus, X } from "lucide-react";
import { StateIcon } from "#components/ui/primitives/badge";
import { Button } from "#components/ui/primitives/button";
import { IconButton } from "#components/ui/primitives/icon-button";
import { Input } from "#components/ui/primitives/input";
import { Select } from "#components/ui/primitives/select";
import { cappedWords, countWords, formatNumber } from "#lib/contracts/format-count";
import { MAX_REDELIVERED } from "#lib/contracts/list-filters";
import type { FieldMapping, FieldMappingSuggestions } from "#lib/contracts/sources/field-mapping";
import { MAPPABLE_FIELDS, type MappableField } from "#lib/contracts/sources/mappable-fields";

const FIELDS = Object.entries(MAPPABLE_FIELDS).map(([value, label]) => ({ value, label }));

type MappingRowsProps = {
  rows: MappingRow[];
  builtIn: Record<string, string[]>;
  /** Paths of recent payloads, offered while a path is typed. */
  paths: { path: string; example: string }[];
  readOnly: boolean;
  onChange: (rows: MappingRow[]) => void;
};

/** Shows a row for each field and path. Several rows of a field are tried in order. */
export function MappingRows({ rows, builtIn, paths, readOnly, onChange }: MappingRowsProps) {
  const change = (key: number, part: Partial<MappingRow>) => onChange(rows.map((row) => (row.key === key ? { ...row, ...part } : row)));
  const add = () => onChange([...rows, { key: nextKey(rows), field: "documentId", path: "" }]);
  return (
    <div className="flex flex-col gap-3">
      <datalist id="payload-paths">
        {paths.map(({ path, example }) => (
          <option key={path} value={path} label={example} />
        ))}
      </datalist>
      {rows.map((row, index) => (
        <div key={row.key} className="grid grid-cols-[1fr_auto] items-start gap-2 sm:grid-cols-[14rem_1fr_auto]">
          <div className="max-sm:col-span-2">
            <Select
              label={`Field ${index + 1}`}
              options={FIELDS}
              value={row.field}
              disabled={readOnly}
              onValueChange={(field) => change(row.key, { field: field as MappableField })}
            />
          </div>
          <div className="flex min-w-0 flex-col gap-1">
            <Input
              aria-label={`Payload path of ${MAPPABLE_FIELDS[row.field]}`}
              className="font-mono"
              list="payload-paths"
              placeholder="document.ref"
              value={row.path}
              disabled={readOnly}
              autoComplete="off"
              spellCheck={false}
              onChange={({ target }) => change(row.key, { path: target.value })}
            />
            <p className="break-words text-12 text-muted">
              {row.field.startsWith("event.") ? "In the whole body. " : "In data. "}Then: {(builtIn[row.field] ?? []).join(", ")}
            </p>
          </div>
          {readOnly ? null : (
            <IconButton
              label={`Remove ${MAPPABLE_FIELDS[row.field]}`}
              icon={<X />}
              onClick={() => onChange(rows.filter(({ key }) => key !== row.key))}
            />
          )}
        </div>
      ))}
      {readOnly ? null : (
        <Button size="sm" className="self-start" icon={<Plus />} onClick={add}>
          Add field
        </Button>
      )}
    </div>
  );
}

type SuggestionsProps = { suggestions: FieldMappingSuggestions; onChoose: (field: MappableField, path: string) => void };

export function Suggestions({ suggestions: { fields }, onChoose }: SuggestionsProps) {
  return (
    <ul aria-label="Suggested paths" className="border-t border-line">
      {fields.map((each) => (
        <li key={each.field} className="flex items-start gap-3 border-b border-line py-2">
          <StateIcon state={each.found === each.events ? "fine" : "attention"} className="mt-0.5" />
          <div className="flex min-w-0 flex-col gap-1">
            <Sentence {...each} />
            <Others {...each} onChoose={onChoose} />
          </div>
        </li>
      ))}
    </ul>
  );
}

type Suggestion = FieldMappingSuggestions["fields"][number];

function Sentence({ label, events, total, paths }: Suggestion) {
  const failed = triedWords({ tried: events, total }, "failed event");
  if (paths.length === 0)
    return <p className="break-words text-13">{`No path looks like a ${lower(label)} in ${failed}. Choose one, or ask the platform.`}</p>;
  return (
    <div className="flex flex-col gap-0.5">
      {paths.map(({ path, found, known, example }) => (
        <p key={path} className="break-words text-13">
          <code className="font-mono text-12">data.{path}</code>
          {` looks like the ${lower(label)} in ${formatNumber(found)} of ${failed}`}
          <span className="text-muted">
            {`, e.g. ${example}`}
            {known > 0 ? `; ${formatNumber(known)} are IDs of known records` : ""}.
          </span>
        </p>
      ))}
    </div>
  );
}

function Others({ field, label, others, onChoose }: Suggestion & Pick<SuggestionsProps, "onChoose">) {
  if (others.length === 0) return null;
  return (
    <details className="text-12 text-muted">
      <summary className="w-fit cursor-pointer rounded-sm">{`Other places for the ${lower(label)}`}</summary>
      <ul className="mt-1 flex flex-col gap-1">
        {others.map(({ path, found, example }) => (
          <li key={path} className="flex flex-wrap items-center gap-2">
            <Button size="sm" aria-label={`Use data.${path} as the ${lower(label)}`} onClick={() => onChoose(field, path)}>
              Use
            </Button>
            <code className="break-all font-mono">data.{path}</code>
            <span>{`in ${formatNumber(found)}, e.g. ${example}`}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}

/** `Task ID` -> `task ID` */
const lower = (label: string) => label.charAt(0).toLowerCase() + label.slice(1);

/** Returns `12 failed events`, or `the newest 500 of 2,311 failed events` where not all were tried. */
export const triedWords = ({ tried, total }: { tried: number; total: number }, one: string): string =>
  tried >= total ? countWords(tried, one) : `the newest ${formatNumber(tried)} of ${cappedWords(total, one, MAX_REDELIVERED)}`;

export type MappingRow = { key: number; field: MappableField; path: string };

/** Returns one row for each path. */
const rowsOf = (mapping: FieldMapping): MappingRow[] =>
  (Object.entries(mapping) as [MappableField, string[]][])
    .flatMap(([field, paths]) => paths.map((path) => ({ field, path })))
    .map((row, key) => ({ key, ...row }));

export function mappingOf(rows: MappingRow[]): FieldMapping {
  const mapping: FieldMapping = {};
  for (const { field, path } of rows) {
    const trimmed = path.trim();
    if (trimmed === "" || mapping[field]?.includes(trimmed)) continue;
    mapping[field] = [...(mapping[field] ?? []), trimmed];
  }
  return mapping;
}

/** Returns the saved paths, with suggested ones before them, and an empty row for a field without a path. */
export function firstRows(saved: FieldMapping, suggestions: FieldMappingSuggestions | null): MappingRow[] {
  const rows = rowsOf(suggestions?.mapping ?? saved);
  for (const { field } of suggestions?.fields ?? [])
    if (!rows.some((row) => row.field === field)) rows.push({ key: nextKey(rows), field, path: "" });
  return rows.length > 0 ? rows : [{ key: 0, field: "documentId", path: "" }];
}

/** Puts the path into the field's empty row, or before its other paths. */
export function withPath(rows: MappingRow[], field: MappableField, path: string): MappingRow[] {
  const empty = rows.find((row) => row.field === field && row.path.trim() === "");
  if (empty) return rows.map((row) => (row === empty ? { ...row, path } : row));
  const at = rows.findIndex((row) => row.field === field);
  return rows.toSpliced(at < 0 ? rows.length : at, 0, { key: nextKey(rows), field, path });
}

const nextKey = (rows: MappingRow[]): number => Math.max(-1, ...rows.map(({ key }) => key)) + 1;
