"use client";

import { Plus, X } from "lucide-react";
import { Button } from "#components/ui/primitives/button";
import { IconButton } from "#components/ui/primitives/icon-button";
import { Input } from "#components/ui/primitives/input";
import { Select } from "#components/ui/primitives/select";
import { MAPPABLE_FIELDS, type MappableField } from "#lib/contracts/sources/field-mapping";
import { type MappingRow, nextKey } from "./mapping-draft.ts";

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
              icon={<X aria-hidden />}
              onClick={() => onChange(rows.filter(({ key }) => key !== row.key))}
            />
          )}
        </div>
      ))}
      {readOnly ? null : (
        <Button size="sm" className="self-start" icon={<Plus aria-hidden />} onClick={add}>
          Add field
        </Button>
      )}
    </div>
  );
}
