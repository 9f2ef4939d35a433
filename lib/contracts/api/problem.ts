import * as z from "zod/mini";

/** An error's answer (RFC 9457), `application/problem+json`. `code` is stable; the words may change. */
export const problemSchema = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.optional(z.string()),
  code: z.string(),
  /** One line for each field of the request that was wrong. */
  errors: z.optional(z.array(z.object({ path: z.string(), message: z.string() }))),
});

export type Problem = z.infer<typeof problemSchema>;
