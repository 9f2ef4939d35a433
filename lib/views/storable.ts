const MAX_DEPTH = 12;
const MAX_ENTRIES = 100;
const MAX_TEXT = 4000;

/**
 * A value as a register keeps it: what jsonb refuses (U+0000, lone surrogates)
 * is replaced, and what has no bound is cut with a mark. The event itself keeps
 * every byte.
 */
export function storable(value: unknown, depth = 0): unknown {
  if (typeof value === "string") return storableText(value);
  if (typeof value === "number") return Number.isFinite(value) ? value : String(value);
  if (typeof value !== "object" || value === null) return value ?? null;
  if (depth >= MAX_DEPTH) return "… (nested deeper: see the event)";
  if (Array.isArray(value)) return value.slice(0, MAX_ENTRIES).map((entry) => storable(entry, depth + 1));
  const entries = Object.entries(value).slice(0, MAX_ENTRIES);
  return Object.fromEntries(entries.map(([key, entry]) => [storableText(key), storable(entry, depth + 1)]));
}

/** Text without what Postgres refuses, at most 4,000 characters. */
export function storableText(text: string): string {
  const cut = text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
  return cut.replaceAll("\u0000", "\ufffd").toWellFormed();
}
