import * as z from "zod/mini";
import { viewKind } from "./views.ts";

const side = z.object({ value: z.unknown(), eventId: z.string(), at: z.number() });

/** `field` is `*` if the whole record is on one side only. */
export const viewDifference = z.object({
  kind: viewKind,
  id: z.string(),
  field: z.string(),
  live: z.nullable(side),
  rebuilt: z.nullable(side),
});
export type ViewDifference = z.infer<typeof viewDifference>;

const kindSide = z.object({ records: z.int(), hash: z.string() });

/** Hashes are SHA-256 over all registers of a kind: equal means the same to the byte. */
export const rebuildReport = z.object({
  events: z.int(),
  kinds: z.array(z.object({ kind: viewKind, live: kindSide, rebuilt: kindSide })),
  /** Records missing in the views; records that no event makes; records with different fields. */
  missing: z.int(),
  surplus: z.int(),
  different: z.int(),
  /** Moves of tasks between stages, one for each event. Reports of earlier versions have none. */
  moves: z.optional(
    z.object({
      live: z.int(),
      rebuilt: z.int(),
      missing: z.int(),
      surplus: z.int(),
      different: z.int(),
      /** Kept, though the log no longer holds their events. */
      carried: z.int(),
    }),
  ),
  differences: z.array(viewDifference),
  /** Fields set by events that have left the log. */
  carriedFields: z.int(),
  /** Events that waited to be applied during the comparison; they count as applied. */
  waiting: z.int(),
  corrected: z.int(),
  logBegins: z.nullable(z.string()),
  ms: z.object({ folding: z.number(), comparing: z.number(), writing: z.number() }),
});
export type RebuildReport = z.infer<typeof rebuildReport>;

export const rebuildState = z.enum(["queued", "running", "done", "stopped", "failed"]);

/** `dryRun`: a check that changes nothing. */
export const viewRebuild = z.object({
  id: z.string(),
  state: rebuildState,
  dryRun: z.boolean(),
  phase: z.nullable(z.enum(["folding", "comparing", "writing"])),
  done: z.int(),
  total: z.int(),
  requestedBy: z.nullable(z.string()),
  createdAt: z.string(),
  startedAt: z.nullable(z.string()),
  finishedAt: z.nullable(z.string()),
  failure: z.nullable(z.string()),
  report: z.nullable(rebuildReport),
});
export type ViewRebuild = z.infer<typeof viewRebuild>;
export const viewRebuildList = z.object({ data: z.array(viewRebuild), nextCursor: z.null() });

export const startRebuildBody = z.object({ dryRun: z._default(z.boolean(), false) });
