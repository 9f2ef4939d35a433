import { Badge, type State, StateBadge } from "#components/ui/primitives/badge";
import type { DriftKind, DriftSeverity, EventTypeItem, FieldFormat, JsonType, SCHEMA_CHANGES } from "#lib/contracts/event-types";
import { formatNumber } from "#lib/contracts/format-count";

export const eventTypeHref = (id: string): string => `/event-types/${encodeURIComponent(id)}`;
export const eventHref = (id: string): string => `/events/${encodeURIComponent(id)}`;

/** `data` itself is counted among the fields. */
export const fieldsIn = ({ fields }: { fields: number }): number => Math.max(0, fields - 1);

export const SEVERITIES: Record<DriftSeverity, { state: State; word: string }> = {
  breaking: { state: "failed", word: "Breaking" },
  warning: { state: "attention", word: "Warning" },
  info: { state: "neutral", word: "New" },
};

/** What is said of a field, behind its path; of the type as a whole, alone. */
export const DRIFT_WORDS: Record<DriftKind, string> = {
  vanished: "is no longer there",
  type: "has another type",
  null: "is null, which it never was",
  optional: "is no longer always there",
  value: "has a value that was never seen",
  format: "has another format",
  size: "Bodies are larger than before",
  volume: "The number of events is another",
};

/** Shows the worst open drift with how many there are of it. */
export function DriftBadge({ drift: { breaking, warning, info } }: { drift: EventTypeItem["drift"] }) {
  if (breaking > 0) return <StateBadge state="failed">{`${formatNumber(breaking)} breaking`}</StateBadge>;
  if (warning > 0) return <StateBadge state="attention">{`${formatNumber(warning)} ${warning === 1 ? "warning" : "warnings"}`}</StateBadge>;
  if (info > 0) return <StateBadge state="neutral">{`${formatNumber(info)} new`}</StateBadge>;
  return null;
}

/** Nothing for a type that is simply observed. */
export function EventTypeBadge({ type: { state, variant } }: { type: Pick<EventTypeItem, "state" | "variant"> }) {
  return (
    <>
      {variant === null ? null : <Badge>{variant === "fetched" ? "fetched" : variant}</Badge>}
      {state === "pinned" ? <Badge tone="accent">Pinned</Badge> : null}
      {state === "unseen" ? <Badge>Documented, never received</Badge> : null}
      {state === "not_learnt" ? <StateBadge state="attention">Not learnt</StateBadge> : null}
    </>
  );
}

export const TYPE_WORDS: Record<JsonType, string> = {
  null: "null",
  boolean: "boolean",
  number: "number",
  string: "text",
  object: "object",
  array: "list",
};

/** Formats that say nothing that the type does not say. */
const PLAIN = new Set<FieldFormat>(["text", "int", "decimal"]);

const FORMAT_WORDS: Record<FieldFormat, string> = {
  uuid: "UUID",
  "date-time": "date and time",
  date: "date",
  email: "email address",
  url: "URL",
  phone: "phone number",
  id: "ID with a prefix",
  digits: "digits",
  "decimal-text": "decimal as text",
  empty: "empty text",
  text: "text",
  int: "whole number",
  decimal: "number with a fraction",
};

export const formatWords = (format: FieldFormat): string => FORMAT_WORDS[format];

export const isTelling = (format: FieldFormat): boolean => !PLAIN.has(format);

type ChangeWords = { state: State; words: (path: string, detail: string) => string };

const told = (what: string, detail: string) => (detail === "" ? what : `${what}: ${detail}`);

/** `path` and `detail` are empty where a change has none. */
export const CHANGE_WORDS: Record<(typeof SCHEMA_CHANGES)[number], ChangeWords> = {
  field_appeared: { state: "neutral", words: (path) => `${path} appeared` },
  type_appeared: { state: "neutral", words: (path, detail) => told(`${path} has another type`, detail) },
  format_appeared: { state: "neutral", words: (path, detail) => told(`${path} has another format`, detail) },
  value_appeared: { state: "neutral", words: (path, detail) => told(`${path} has another value`, detail) },
  became_map: { state: "neutral", words: (path) => `The keys of ${path} are data` },
  drift_opened: { state: "attention", words: (path, detail) => told(`Drift of ${path === "data" ? "the type" : path}`, detail) },
  drift_recovered: { state: "fine", words: (path) => `${path === "data" ? "The type" : path} is as before again` },
  drift_accepted: { state: "fine", words: (path) => `Drift of ${path === "data" ? "the type" : path} accepted` },
  version_published: { state: "fine", words: (_path, detail) => told("Version published", detail) },
  pinned: { state: "fine", words: (_path, detail) => told("Pinned", detail) },
  unpinned: { state: "neutral", words: () => "Pin ended" },
  field_changed: { state: "neutral", words: (path, detail) => told(`Settings of ${path} changed`, detail) },
  relearnt: { state: "neutral", words: (_path, detail) => told("Learnt again from the log", detail) },
};
