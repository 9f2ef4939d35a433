import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { eventFieldsQuery } from "#lib/client/queries/event-fields";
import { EVENT_STATES } from "#lib/contracts/events/event-filters";
import type { EventField } from "#lib/contracts/events/events";
import { recentSearches } from "./recent-searches.tsx";

type SearchHelpProps = { draft: string; types: string[]; sources: string[]; onChoose: (text: string) => void };

const SYNTAX: [example: string, meaning: string][] = [
  ["invoice acme", "both words, in any order; three letters or more find longer words"],
  ['data.name:"Acme Ltd"', "a field of the payload with this value"],
  ["data.name:acme*", "a field that begins like this"],
  ["type:document.error", "a filter, also state:, source: and resource:"],
  ["type:document.*", "all types that begin like this"],
];

/** Shows completions, recent searches and the syntax. Once something is typed it is one line, so that it doesn't cover the results. */
export function SearchHelp({ draft, types, sources, onChoose }: SearchHelpProps) {
  const { data: fields = [] } = useQuery(eventFieldsQuery);
  const suggestions = suggestionsFor(draft, { types, sources, fields });
  if (draft.trim() !== "") return suggestions.length === 0 ? null : <Line suggestions={suggestions} onChoose={onChoose} />;
  const recent = recentSearches();
  return (
    <div className="enter-fade absolute top-full left-0 z-30 mt-1 flex max-h-[70vh] w-[min(480px,calc(100vw-32px))] flex-col gap-3 overflow-y-auto rounded-md border border-line-strong bg-raised p-3 shadow-raised">
      {recent.length === 0 ? null : (
        <Part title="Recent searches">
          {recent.map((text) => (
            <SuggestionButton key={text} text={text} hint="" onChoose={onChoose} />
          ))}
        </Part>
      )}
      {suggestions.length === 0 ? null : (
        <Part title="Fields and values">
          {suggestions.map((each) => (
            <SuggestionButton key={each.text} {...each} onChoose={onChoose} />
          ))}
        </Part>
      )}
      <Part title="Syntax">
        {SYNTAX.map(([example, meaning]) => (
          <p key={example} className="px-1.5 text-12 text-muted">
            <code className="text-text">{example}</code> {meaning}
          </p>
        ))}
      </Part>
    </div>
  );
}

const Line = ({ suggestions, onChoose }: { suggestions: { text: string; hint: string }[]; onChoose: (text: string) => void }) => (
  <section
    aria-label="Fields and values"
    className="absolute top-full left-0 z-30 mt-1 flex w-[min(640px,calc(100vw-32px))] gap-1 overflow-x-auto rounded-md border border-line-strong bg-raised p-1 shadow-raised"
  >
    {suggestions.map((each) => (
      <SuggestionButton key={each.text} {...each} hint="" onChoose={onChoose} />
    ))}
  </section>
);

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <section aria-label={title} className="flex flex-col gap-0.5">
    <p className="px-1.5 text-12 text-faint">{title}</p>
    {children}
  </section>
);

function SuggestionButton({ text, hint, onChoose }: { text: string; hint: string; onChoose: (text: string) => void }) {
  return (
    <button
      type="button"
      data-suggestion
      className="flex shrink-0 items-baseline gap-2 rounded-sm px-1.5 py-1 text-left hover:bg-hover focus-visible:bg-hover"
      onClick={() => onChoose(text)}
    >
      <span className="min-w-0 truncate font-mono text-12">{text}</span>
      <span className="min-w-0 truncate text-12 text-muted">{hint}</span>
    </button>
  );
}

const MAX_SUGGESTIONS = 8;

type Suggestion = { text: string; hint: string };

type Known = { types: string[]; sources: string[]; fields: readonly EventField[] };

/** Returns completions for the last word of the search box: names of fields, or values of a field that has few. */
export function suggestionsFor(draft: string, { types, sources, fields }: Known): Suggestion[] {
  const [, before = "", word = ""] = /^(.*\s)?(\S*)$/s.exec(draft) ?? [];
  const names: Suggestion[] = [
    { text: "type:", hint: "event type" },
    { text: "state:", hint: "pending, processed, failed or unrecognised" },
    { text: "source:", hint: "where it came from" },
    { text: "resource:", hint: "ID of a document, task, pipeline …" },
    ...fields.map(({ path, values }) => ({ text: `${path}:`, hint: values.length === 0 ? "payload field" : values.join(", ") })),
  ];
  const [, field, begun = ""] = /^([^:\s]+):(.*)$/s.exec(word) ?? [];
  const known = field === undefined ? null : valuesOf(field, { types, sources, fields });
  const found = known
    ? known.map((value) => ({ text: `${field}:${/\s/.test(value) ? `"${value}"` : value}`, hint: "" }))
    : names.filter(({ text }) => text !== word);
  const begins = `${field !== undefined && known ? `${field}:${begun}` : word}`.toLowerCase();
  return found
    .filter(({ text }) => text.toLowerCase().startsWith(begins) && text !== word)
    .slice(0, MAX_SUGGESTIONS)
    .map(({ text, hint }) => ({ text: `${before}${text}`, hint }));
}

function valuesOf(field: string, { types, sources, fields }: Known): readonly string[] | null {
  if (field === "type") return types;
  if (field === "state") return EVENT_STATES;
  if (field === "source") return sources;
  return fields.find(({ path }) => path.toLowerCase() === field.toLowerCase())?.values ?? null;
}
