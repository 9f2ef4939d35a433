import { Plus, X } from "lucide-react";
import { useRef } from "react";
import { Field } from "#components/ui/form";
import { Button } from "#components/ui/primitives/button";
import { IconButton } from "#components/ui/primitives/icon-button";
import { Input } from "#components/ui/primitives/input";
import type { Destination } from "#lib/contracts/forwarding/destinations";
import type { GivenHeader } from "#lib/contracts/forwarding/own-headers";

/** `value` null: the stored one stays. */
export type HeaderRow = { key: number; name: string; value: string | null };

const MAX_ROWS = 20;

export const rowsOf = (destination: Destination | null): HeaderRow[] =>
  (destination?.headers ?? []).map(({ name }, key) => ({ key, name, value: null }));

/** Returns the headers of a request; none where nothing about them changes. @param leadsAway stored values are not for this host */
export function sentRows(destination: Destination | null, rows: readonly HeaderRow[], leadsAway: boolean): { headers?: GivenHeader[] } {
  const isSame = destination?.headers.length === rows.length && rows.every(({ value }) => value === null) && !leadsAway;
  if (isSame) return {};
  return {
    headers: rows.map(({ name, value }) =>
      value === null && !leadsAway ? { name: name.trim() } : { name: name.trim(), value: (value ?? "").trim() },
    ),
  };
}

type Props = { rows: HeaderRow[]; leadsAway: boolean; onChange: (rows: HeaderRow[]) => void };

/** Adds, removes and replaces headers. What is stored shows its name alone. */
export function OwnHeadersField({ rows, leadsAway, onChange }: Props) {
  const list = useRef<HTMLFieldSetElement>(null);
  const change = (key: number, part: Partial<HeaderRow>) => onChange(rows.map((row) => (row.key === key ? { ...row, ...part } : row)));
  function remove(key: number) {
    onChange(rows.filter((row) => row.key !== key));
    // The button that had the focus is gone.
    list.current?.querySelector<HTMLButtonElement>("[data-add]")?.focus();
  }
  return (
    <fieldset ref={list} className="flex flex-col gap-2">
      <legend className="mb-1.5 text-13 font-medium">
        Headers <span className="ml-1 font-normal text-faint">Optional</span>
      </legend>
      <p className="text-12 text-muted">
        Sent with each request, for example a gateway's API key. Values are encrypted and never shown again.
        {leadsAway && rows.length > 0 ? " The URL has a different host: enter each value again." : ""}
      </p>
      {rows.map((row, index) => (
        <Row
          key={row.key}
          row={row}
          index={index}
          isKept={row.value === null && !leadsAway}
          onChange={(part) => change(row.key, part)}
          onRemove={() => remove(row.key)}
        />
      ))}
      <Button
        data-add
        size="sm"
        className="self-start"
        icon={<Plus />}
        disabled={rows.length >= MAX_ROWS}
        onClick={() => onChange([...rows, { key: Math.max(-1, ...rows.map(({ key }) => key)) + 1, name: "", value: "" }])}
      >
        Add header
      </Button>
    </fieldset>
  );
}

type RowProps = {
  row: HeaderRow;
  index: number;
  isKept: boolean;
  onChange: (part: Partial<HeaderRow>) => void;
  onRemove: () => void;
};

function Row({ row: { name, value }, index, isKept, onChange, onRemove }: RowProps) {
  const of = name.trim() === "" ? `header ${index + 1}` : name.trim();
  return (
    <div className="grid grid-cols-[1fr_auto] items-start gap-2 min-[480px]:grid-cols-[2fr_3fr_auto]">
      <Field name={`headers.${index}.name`} className="gap-0" label={<span className="sr-only">Name of header {index + 1}</span>}>
        <Input
          required
          autoFocus={name === "" && value === ""}
          maxLength={200}
          autoComplete="off"
          spellCheck={false}
          className="font-mono text-12"
          placeholder="X-Api-Key"
          value={name}
          readOnly={value === null}
          onChange={(event) => onChange({ name: event.target.value })}
        />
      </Field>
      <Field
        name={`headers.${index}.value`}
        label={<span className="sr-only">Value of {of}</span>}
        className="col-start-1 gap-0 min-[480px]:col-start-2"
      >
        {isKept ? (
          <div className="flex h-8 items-center gap-2 text-12 text-muted">
            Value kept
            <Button size="sm" aria-label={`Replace the value of ${of}`} onClick={() => onChange({ value: "" })}>
              Replace
            </Button>
          </div>
        ) : (
          <Input
            required
            autoFocus={name !== "" && value === ""}
            type="password"
            maxLength={8192}
            autoComplete="new-password"
            className="font-mono text-12"
            placeholder="Value"
            value={value ?? ""}
            onChange={(event) => onChange({ value: event.target.value })}
          />
        )}
      </Field>
      <IconButton label={`Remove ${of}`} icon={<X />} className="col-start-2 row-start-1 min-[480px]:col-start-3" onClick={onRemove} />
    </div>
  );
}
