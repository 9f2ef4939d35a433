import { z } from "zod";

/** An error's answer (RFC 9457), `application/problem+json`. `code` is stable; the words may change. */
export const problemSchema = z.object({
  type: z.string(),
  title: z.string(),
  status: z.number().int(),
  detail: z.string().optional(),
  code: z.string(),
  /** One line for each field of the request that was wrong. */
  errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
});

export type Problem = z.infer<typeof problemSchema>;
