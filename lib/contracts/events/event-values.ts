import * as z from "zod/mini";
import { filterShape } from "#lib/contracts/api/filter-schema";

export const MAX_VALUE_PATHS = 4;

/** At most 50 IDs, and the first 4 paths. */
export const eventValuesQuery = z.object(
  filterShape({
    id: { value: { kind: "texts", max: 200 }, label: "Event ID" },
    path: { value: { kind: "texts", max: 200 }, label: "Payload field" },
  }),
);

const eventValues = z.object({ id: z.string(), source: z.string(), values: z.record(z.string(), z.string()) });
export type EventValues = z.infer<typeof eventValues>;

export const eventValuesList = z.object({ data: z.array(eventValues), nextCursor: z.null() });
