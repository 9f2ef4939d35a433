import * as z from "zod/mini";
import { moment } from "#lib/contracts/api/parameters";

export const MAX_ANNOTATIONS = 100;

export const annotationsQuery = z.object({ from: moment, to: moment });

const annotation = z.object({
  kind: z.enum(["change", "version", "outage"]),
  at: z.string(),
  until: z.nullable(z.string()),
  text: z.string(),
});
export type Annotation = z.infer<typeof annotation>;

export const annotations = z.object({ data: z.array(annotation) });
