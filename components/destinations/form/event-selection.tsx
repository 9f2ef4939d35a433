"use client";

import { Field } from "#components/ui/forms/field";
import { Textarea } from "#components/ui/forms/textarea";
import { Checkbox } from "#components/ui/primitives/checkbox";
import { FilterPreviewPanel } from "./filter-preview.tsx";
import type { FilterText } from "./filter-text.tsx";

export type Selection = { types: string[]; sources: string[]; filterText: string };

type EventSelectionProps = {
  types: string[];
  sources: string[];
  selection: Selection;
  filter: FilterText;
  onChange: (selection: Selection) => void;
};

const EXAMPLE = '{ "data": { "status": { "$in": ["completed", "failed"] } } }';

export function EventSelection({ types, sources, selection, filter, onChange }: EventSelectionProps) {
  return (
    <>
      <Choices
        legend="Event types"
        none="All types, including new ones"
        options={types}
        chosen={selection.types}
        onChange={(chosen) => onChange({ ...selection, types: chosen })}
      />
      {sources.length > 1 ? (
        <Choices
          legend="Sources"
          none="All sources"
          options={sources}
          chosen={selection.sources}
          onChange={(chosen) => onChange({ ...selection, sources: chosen })}
        />
      ) : null}
      <Field
        name="filter"
        label="Payload filter"
        optional
        error={filter.ok ? undefined : filter.why}
        hint={
          <>
            JSON. For example <code className="break-all">{EXAMPLE}</code>
          </>
        }
      >
        <Textarea
          rows={3}
          spellCheck={false}
          className="font-mono text-12"
          value={selection.filterText}
          onChange={(event) => onChange({ ...selection, filterText: event.target.value })}
        />
      </Field>
      {filter.ok ? <FilterPreviewPanel body={{ types: selection.types, sources: selection.sources, filter: filter.value }} /> : null}
    </>
  );
}

type ChoicesProps = { legend: string; none: string; options: string[]; chosen: string[]; onChange: (chosen: string[]) => void };

function Choices({ legend, none, options, chosen, onChange }: ChoicesProps) {
  const toggle = (option: string, on: boolean) => onChange(on ? [...chosen, option] : chosen.filter((each) => each !== option));
  return (
    <fieldset className="flex flex-col gap-1.5">
      <legend className="mb-1.5 text-13 font-medium">{legend}</legend>
      <div className="grid max-h-32 grid-cols-1 gap-x-4 gap-y-1.5 overflow-y-auto rounded-md border border-line p-3 min-[480px]:grid-cols-2">
        {[...new Set([...options, ...chosen])].map((option) => (
          <Checkbox key={option} checked={chosen.includes(option)} onCheckedChange={(on) => toggle(option, on)}>
            <span className="break-all font-mono text-12">{option}</span>
          </Checkbox>
        ))}
      </div>
      <p className="text-12 text-muted">{chosen.length === 0 ? none : `${chosen.length} chosen`}</p>
    </fieldset>
  );
}
