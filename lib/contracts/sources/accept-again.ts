import * as z from "zod/mini";
import { text } from "../api/parameters.ts";
import { operation } from "../operations/operations.ts";

/** `hours: 0` ends a retiring secret now. */
export const acceptAgainBody = z
  .object({
    secret: text(100),
    hours: z._default(z.number().check(z.int(), z.minimum(0), z.maximum(168)), 24),
    release: z._default(z.boolean(), false),
  })
  .check(z.refine(({ hours, release }) => hours > 0 || !release, { error: "release: requires hours" }));
export type AcceptAgainBody = z.infer<typeof acceptAgainBody>;

export const acceptedAgain = z.object({ validUntil: z.string(), operation: z.nullable(operation) });
export type AcceptedAgain = z.infer<typeof acceptedAgain>;
