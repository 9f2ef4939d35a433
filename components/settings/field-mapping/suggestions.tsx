"use client";

import { StateIcon } from "#components/ui/feedback/state-icon";
import { Button } from "#components/ui/primitives/button";
import { countWords, formatNumber } from "#lib/contracts/counts/format-count";
import type { FieldMappingSuggestions, MappableField } from "#lib/contracts/sources/field-mapping";

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

function Sentence({ label, events, paths }: Suggestion) {
  if (paths.length === 0)
    return (
      <p className="break-words text-13">{`No path looks like a ${lower(label)} in ${failedEvents(events)}. Choose one, or ask the platform.`}</p>
    );
  return (
    <div className="flex flex-col gap-0.5">
      {paths.map(({ path, found, known, example }) => (
        <p key={path} className="break-words text-13">
          <code className="font-mono text-12">data.{path}</code>
          {` looks like the ${lower(label)} in ${formatNumber(found)} of ${failedEvents(events)}`}
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

const failedEvents = (count: number) => countWords(count, "failed event");
