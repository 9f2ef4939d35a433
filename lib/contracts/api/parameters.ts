import * as z from "zod/mini";
import { isDay, isMoment, isStorableText } from "./bounds.ts";
import { type Filters, type FilterValue, MAX_REPEATS, type ValueOf } from "./filters.ts";

/** Returns the schema of every text in a path, query or body: U+0000 or a lone surrogate would end as an error 500. */
export const text = (max: number) =>
  z.string().check(z.refine(isStorableText, { error: "must not contain U+0000 or an unpaired surrogate" }), z.maxLength(max));

const VISIBLE = /[^\p{DI}\p{Cc}\p{Cf}\p{Z}\u2800]/u;

/** True if some character of a name can be seen. */
export const isVisible = (name: string): boolean => VISIBLE.test(name);

/** Lets an empty name pass: who takes none says so. */
const visible = (error = "must have a character that can be seen") => z.refine((name) => name === "" || isVisible(String(name)), { error });

export const nameText = (max: number, error?: string) =>
  text(max).check(z.normalize("NFC"), z.trim(), z.minLength(1, error), visible(error));

export const optionalName = (max: number) => z.optional(text(max).check(z.normalize("NFC"), z.trim(), visible()));

export const MOMENT_ERROR = "must be an ISO 8601 time with a time zone, in the years 1 to 9999, for example 2026-01-31T12:00:00Z";

export const moment = z.iso.datetime({ offset: true, abort: true, error: MOMENT_ERROR }).check(z.refine(isMoment, { error: MOMENT_ERROR }));

/** A day stands for its first moment UTC. */
export const momentOrDay = z.string().check(z.refine((value) => isMoment(value) || isDay(value), { error: MOMENT_ERROR }));

/** Ours, or the platform's as it came. A record's has at most 400 characters. */
export const idText = text(1000).check(z.minLength(1));

const filledText = (max: number) => text(max).check(z.minLength(1, "must have text, or be left out"));

/** Entries of a list that are chosen by hand. */
export const someIds = z.optional(z.array(text(100)).check(z.minLength(1), z.maxLength(200)));

/** What is restored: entries chosen by hand, or all that one dismissal has set aside. */
export const restorationFilter = z
  .strictObject({ ids: someIds, dismissal: z.optional(filledText(100)) })
  .check(z.refine(({ ids, dismissal }) => ids !== undefined || dismissal !== undefined, { error: "filter: requires ids or dismissal" }));

export const cursorText = text(4000);

const LIMIT = "must be a whole number from 1 to 200";

export const limitNumber = z.coerce.number({ error: LIMIT }).check(z.int(LIMIT), z.minimum(1, LIMIT), z.maximum(200, LIMIT));

export const pageQuery = z.object({
  limit: z._default(limitNumber, 50),
  cursor: z.optional(cursorText),
});

/** Returns a page's schema: newest first, `nextCursor` null on the last page. */
export const pageOf = <T extends z.ZodMiniType>(item: T) => z.object({ data: z.array(item), nextCursor: z.nullable(z.string()) });

/** Which page of a list is asked for. */
export type Paging = { limit: number; cursor?: string | undefined };

export type Page<T> = { data: T[]; nextCursor: string | null };

/** A name or value of a filter that no event has. `said`: as it was asked for; `nearest`: what to ask for in its place, if one is near. */
export const unknownInFilter = z.object({
  filter: z.enum(["q", "type", "source"]),
  said: z.string(),
  nearest: z.nullable(z.string()),
  message: z.string(),
});
export type UnknownInFilter = z.infer<typeof unknownInFilter>;

/** A page of a list with such filters; `unknown` is set on the first page alone. */
export const filteredPageOf = <T extends z.ZodMiniType>(item: T) =>
  z.extend(pageOf(item), { unknown: z.optional(z.array(unknownInFilter)) });

/** `type=` of a query is no filter. */
export const repeated = <T extends z.ZodMiniType>(item: T) => listOf(item, (value) => value === "");

const listOf = <T extends z.ZodMiniType>(item: T, isNone: (value: unknown) => boolean) =>
  z.optional(
    z.pipe(
      z.transform((value) => (isNone(value) ? undefined : Array.isArray(value) ? value : [value])),
      z.optional(z.array(item).check(z.minLength(1, "must have at least one value, or be left out"), z.maxLength(MAX_REPEATS))),
    ),
  );

/** Event types; `document.*` stands for all that begin with `document.`. */
export const typePattern = text(200).check(
  z.minLength(1),
  z.refine((pattern) => !pattern.slice(0, -1).includes("*"), { error: "must have * only at its end, as in document.*" }),
);
export const typePatterns = z.array(typePattern).check(z.maxLength(50));

type Shape<D extends Filters> = { [Name in keyof D]: z.ZodMiniOptional<z.ZodMiniType<ValueOf<D[Name]["value"]>>> };

export const filterShape = <D extends Filters>(filters: D): Shape<D> =>
  Object.fromEntries(Object.entries(filters).map(([name, { value }]) => [name, schemaOf(value)])) as Shape<D>;

/** Of a body that acts on all that match: there an empty value is refused, as it would leave its filter out. A blank `q` is no filter. */
export const setFilterShape = <D extends Filters>(filters: D): Shape<D> =>
  Object.fromEntries(
    Object.entries(filters).map(([name, { value }]) => [name, name === "q" ? schemaOf(value) : filledSchemaOf(value)]),
  ) as Shape<D>;

function filledSchemaOf(value: FilterValue): z.ZodMiniType {
  if (value.kind === "texts") return listOf(filledText(value.max), () => false);
  if (value.kind === "choices") return listOf(z.enum(value.values), () => false);
  return value.kind === "text" && !value.check ? z.optional(filledText(value.max)) : schemaOf(value);
}

/** `source=` of a query is no filter, as `type=` is none. */
const textOrNone = (max: number) =>
  z.optional(
    z.pipe(
      z.transform((value) => (value === "" ? undefined : value)),
      z.optional(text(max)),
    ),
  );

function schemaOf(value: FilterValue): z.ZodMiniType {
  switch (value.kind) {
    case "text": {
      const { check, error } = value;
      return check ? z.optional(text(value.max).check(z.refine(check, { error }))) : textOrNone(value.max);
    }
    case "texts":
      return repeated(text(value.max));
    case "choice":
      return z.optional(value.values.length === 1 ? z.literal(value.values[0]) : z.enum(value.values));
    case "choices":
      return repeated(z.enum(value.values));
    case "flag":
      // A body says it as JSON does, a query as text.
      return z.optional(z.union([z.boolean(), z.stringbool()], "must be true or false"));
    case "moment":
      return z.optional(moment);
  }
}
