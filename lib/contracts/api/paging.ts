import * as z from "zod/mini";
import { MAX_REPEATS } from "./filter-value.ts";
import { text } from "./parameters.ts";

export const cursorText = text(4000);

const LIMIT = "must be a whole number from 1 to 200";

export const pageQuery = z.object({
  limit: z._default(z.coerce.number({ error: LIMIT }).check(z.int(LIMIT), z.minimum(1, LIMIT), z.maximum(200, LIMIT)), 50),
  cursor: z.optional(cursorText),
});

/** Returns a page's schema: newest first, `nextCursor` null on the last page. */
export const pageOf = <T extends z.ZodMiniType>(item: T) => z.object({ data: z.array(item), nextCursor: z.nullable(z.string()) });

export type Page<T> = { data: T[]; nextCursor: string | null };

export const repeated = <T extends z.ZodMiniType>(item: T) =>
  z.optional(
    z.pipe(
      z.transform((value) => (value === "" ? undefined : Array.isArray(value) ? value : [value])),
      z.optional(z.array(item).check(z.maxLength(MAX_REPEATS))),
    ),
  );
