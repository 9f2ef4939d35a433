import type { core } from "zod/mini";
import { isNumber } from "../exact-json.ts";

/** Says what a value must be, after the name of its field: "must be text, not a number". For `safeParse`; a schema's own words come first.
 * Exact numbers are instances of a class, whose name is another in a built server. */
export const refusalWords: core.$ZodErrorMap = (issue) => wordsOf(issue);

function wordsOf(issue: core.$ZodRawIssue): string {
  const { input } = issue;
  switch (issue.code) {
    case "invalid_type":
      return input === undefined ? "is missing" : typeWords(issue.expected, input);
    case "invalid_value":
      if ((issue as { expected?: string }).expected === "stringbool") return KINDS.stringbool;
      return `${input === undefined ? "is missing: it " : ""}${choiceWords(issue.values)}`;
    case "too_big":
      return sizeWords(issue.origin, issue.exact ? "" : issue.inclusive === false ? "less than " : "at most ", issue.maximum);
    case "too_small":
      if (issue.origin === "string" && issue.minimum === 1) return "must not be empty";
      return sizeWords(issue.origin, issue.exact ? "" : issue.inclusive === false ? "more than " : "at least ", issue.minimum);
    case "invalid_format":
      return formatWords(issue);
    case "not_multiple_of":
      return `must be a multiple of ${issue.divisor}`;
    case "unrecognized_keys":
      return `must not have ${issue.keys.length === 1 ? "a field" : "fields"} ${issue.keys.join(", ")}`;
    case "invalid_key":
      return `has a name that is not allowed: it ${issue.issues[0]?.message ?? "is not valid"}`;
    case "invalid_union":
      return unionWords(issue);
    default:
      return "is not valid";
  }
}

const KINDS = {
  string: "must be text",
  number: "must be a number",
  int: "must be a whole number",
  boolean: "must be true or false",
  stringbool: "must be true or false",
  array: "must be a list",
  tuple: "must be a list",
  object: "must be an object",
  record: "must be an object",
  null: "must be null",
} as const;

const isKind = (kind: string): kind is keyof typeof KINDS => Object.hasOwn(KINDS, kind);

function typeWords(expected: string, input: unknown): string {
  if (!isKind(expected)) return "is not valid";
  const given = kindOf(input);
  // A fraction is a number, and what was written in a URL is text.
  return expected === "int" && given === "a number" ? KINDS.int : `${KINDS[expected]}${given === null ? "" : `, not ${given}`}`;
}

function kindOf(value: unknown): string | null {
  if (Number.isNaN(value)) return null;
  if (isNumber(value)) return "a number";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "string") return "text";
  if (typeof value === "object" && value !== null) return "an object";
  return value === null || typeof value === "boolean" ? String(value) : null;
}

const choiceWords = (values: readonly unknown[]): string =>
  values.length === 1 ? `must be ${String(values[0])}` : `must be one of ${values.map(String).join(", ")}`;

const UNITS: Readonly<Record<string, string>> = { string: "character", array: "entry", set: "entry", map: "entry" };

function sizeWords(origin: string, bound: string, size: number | bigint): string {
  const unit = UNITS[origin];
  if (unit === undefined) return `must be ${bound}${size}`;
  return `must have ${bound}${size} ${Number(size) === 1 ? unit : unit === "entry" ? "entries" : `${unit}s`}`;
}

const FORMATS: Readonly<Record<string, string>> = {
  email: "an email address",
  url: "a URL",
  date: "a date",
  datetime: "an ISO 8601 time",
  base64: "base64",
};

type StringFormat = { format: string } & { [Part in "pattern" | "prefix" | "suffix" | "includes"]?: string };

function formatWords(issue: { format: string }): string {
  const { format, pattern, prefix, suffix, includes } = issue as StringFormat;
  if (prefix !== undefined) return `must start with ${prefix}`;
  if (suffix !== undefined) return `must end with ${suffix}`;
  if (includes !== undefined) return `must contain ${includes}`;
  if (format === "regex" && pattern !== undefined) return `must match ${pattern}`;
  return FORMATS[format] === undefined ? "does not have the right format" : `must be ${FORMATS[format]}`;
}

/** A choice by one field is named by the field; of other kinds, each says what it takes. */
function unionWords({ input, errors, ...issue }: core.$ZodRawIssue<core.$ZodIssueInvalidUnion>): string {
  const { options } = issue as { options?: readonly unknown[] };
  if (options?.length) return choiceWords(options);
  if (input === undefined) return "is missing";
  const each = errors.map(([first]) => (first?.path.length === 0 ? first.message : null));
  const [words] = each;
  return words && each.every((said) => said === words) ? words : "is not valid";
}

/** Returns the place of a value as far as it was sent: `state`, not `state.0`, for a query's one value of a list. */
export function placeOf(path: readonly PropertyKey[], sent: unknown): string {
  const taken: string[] = [];
  let inside = sent;
  for (const key of path) {
    if (inside !== undefined && (typeof inside !== "object" || inside === null)) break;
    taken.push(String(key));
    inside = (inside as Record<PropertyKey, unknown> | undefined)?.[key];
  }
  return taken.join(".");
}
