import { EVENT_STATES } from "#lib/contracts/events/event-enums";
import type { EventField } from "#lib/contracts/events/event-fields";

const MAX_SUGGESTIONS = 8;

export type Suggestion = { text: string; hint: string };

export type Known = { types: string[]; sources: string[]; fields: readonly EventField[] };

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
