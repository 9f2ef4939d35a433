import { EVENT_STATES } from "#lib/contracts/events/event-enums";

const MAX_SUGGESTIONS = 8;
/** Fields that most payloads have; any other path works too. */
const PATHS = ["data.status", "data.documentId", "data.taskId", "data.error.code", "data.organizationId"];

export type Suggestion = { text: string; hint: string };

/**
 * Returns how the word that is being typed could go on: the names of fields, or the values of one whose values are known.
 *
 * @param draft the whole text of the box; only its last word is completed
 */
export function suggestionsFor(draft: string, types: string[], sources: string[]): Suggestion[] {
  const [, before = "", word = ""] = /^(.*\s)?(\S*)$/s.exec(draft) ?? [];
  const values: Record<string, readonly string[]> = { type: types, state: EVENT_STATES, source: sources };
  const fields: Suggestion[] = [
    { text: "type:", hint: "event type" },
    { text: "state:", hint: "pending, processed, failed or unrecognised" },
    { text: "source:", hint: "where it came from" },
    { text: "resource:", hint: "ID of a document, task, pipeline …" },
    ...PATHS.map((path) => ({ text: `${path}:`, hint: "field of the payload" })),
  ];
  const [, field = "", begun = ""] = /^([a-z]+):(.*)$/i.exec(word) ?? [];
  const known = Object.hasOwn(values, field) ? (values[field] ?? []) : null;
  const found = known
    ? known.filter((value) => value.startsWith(begun) && value !== begun).map((value) => ({ text: `${field}:${value}`, hint: "" }))
    : fields.filter(({ text }) => text.startsWith(word.toLowerCase()) && text !== word);
  return found.slice(0, MAX_SUGGESTIONS).map(({ text, hint }) => ({ text: `${before}${text}`, hint }));
}
