import { z } from "zod";

/** `?limit=` and `?cursor=` of every list. */
export const pageQuery = z.object({
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: z.string().max(500).optional(),
});

/** A list's answer: newest first, `nextCursor` null on the last page. */
export const pageOf = <T extends z.ZodType>(item: T) => z.object({ data: z.array(item), nextCursor: z.string().nullable() });

export type Page<T> = { data: T[]; nextCursor: string | null };

/** A query parameter that may repeat: `?type=a&type=b`. */
export const repeated = <T extends z.ZodType>(item: T) =>
  z.preprocess(
    (value) => (value === undefined || value === "" ? undefined : Array.isArray(value) ? value : [value]),
    z.array(item).max(50).optional(),
  );
