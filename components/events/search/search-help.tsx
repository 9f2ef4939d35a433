"use client";

import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { eventFieldsQuery } from "#lib/client/queries/events/event-fields";
import { recentSearches } from "./recent-searches.tsx";
import { suggestionsFor } from "./suggestions.tsx";

type SearchHelpProps = { draft: string; types: string[]; sources: string[]; onChoose: (text: string) => void };

const SYNTAX: [example: string, meaning: string][] = [
  ["invoice acme", "both words, in any order; three letters or more find longer words"],
  ['data.name:"Acme Ltd"', "a field of the payload with this value"],
  ["data.name:acme*", "a field that begins like this"],
  ["type:document.error", "a filter, also state:, source: and resource:"],
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
            <Suggestion key={text} text={text} hint="" onChoose={onChoose} />
          ))}
        </Part>
      )}
      {suggestions.length === 0 ? null : (
        <Part title="Fields and values">
          {suggestions.map((each) => (
            <Suggestion key={each.text} {...each} onChoose={onChoose} />
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
      <Suggestion key={each.text} {...each} hint="" onChoose={onChoose} />
    ))}
  </section>
);

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <section aria-label={title} className="flex flex-col gap-0.5">
    <p className="px-1.5 text-12 text-faint">{title}</p>
    {children}
  </section>
);

function Suggestion({ text, hint, onChoose }: { text: string; hint: string; onChoose: (text: string) => void }) {
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
