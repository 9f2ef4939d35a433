import * as z from "zod/mini";
import { viewKind } from "./views.ts";

/** A field's value and the event that set it, on one side of a comparison. */
const side = z.object({ value: z.unknown(), eventId: z.string(), at: z.number() });

/** One field in which a live view differs from the log's fold. `field` is `*` where the whole record is on one side only. */
export const viewDifference = z.object({
  kind: viewKind,
  id: z.string(),
  field: z.string(),
  live: z.nullable(side),
  rebuilt: z.nullable(side),
});
export type ViewDifference = z.infer<typeof viewDifference>;

const kindSide = z.object({ records: z.int(), hash: z.string() });

/** Result of a rebuild or a check. Hashes are SHA-256 over all registers of a kind: equal means the same to the byte. */
export const rebuildReport = z.object({
  /** Events folded. */
  events: z.int(),
  kinds: z.array(z.object({ kind: viewKind, live: kindSide, rebuilt: kindSide })),
  /** Records that the log makes and the views lack; that the views have and no event makes; that differ in fields. */
  missing: z.int(),
  surplus: z.int(),
  different: z.int(),
  /** The moves of tasks from stage to stage, one an event: how many there are live and by the log, and as above. Reports of earlier versions have none. */
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
  /** The first differences, at most 100. */
  differences: z.array(viewDifference),
  /** Fields as events have set them that have left the log. */
  carriedFields: z.int(),
  /** Events that waited to be applied at the moment of the comparison; they count as applied. */
  waiting: z.int(),
  /** Records and moves written because they differed. */
  corrected: z.int(),
  /** The oldest event that the log still holds, ISO 8601. */
  logBegins: z.nullable(z.string()),
  ms: z.object({ folding: z.number(), comparing: z.number(), writing: z.number() }),
});
export type RebuildReport = z.infer<typeof rebuildReport>;

export const rebuildState = z.enum(["queued", "running", "done", "stopped", "failed"]);

/** `GET /api/v1/views/rebuilds`: a rebuild, or (dryRun) a check that changes nothing. */
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
  /** Why it failed, in words. */
  failure: z.nullable(z.string()),
  report: z.nullable(rebuildReport),
});
export type ViewRebuild = z.infer<typeof viewRebuild>;
export const viewRebuildList = z.object({ data: z.array(viewRebuild), nextCursor: z.null() });

/** `POST /api/v1/views/rebuilds`. */
export const startRebuildBody = z.object({ dryRun: z._default(z.boolean(), false) });
