import * as z from "zod/mini";
import { filterShape } from "./api/filter-schema.ts";
import { cursorText, pageOf, pageQuery } from "./api/paging.ts";
import { text } from "./api/parameters.ts";
import { diagnosis } from "./diagnosis.ts";
import { QUARANTINE_CAUSE_FILTERS, QUARANTINE_FILTERS, QUARANTINE_REASONS } from "./filters/quarantine-filters.ts";

export const quarantineReason = z.enum(QUARANTINE_REASONS);
export type QuarantineReason = z.infer<typeof quarantineReason>;

export const quarantineItem = z.object({
  id: z.string(),
  source: z.string(),
  receivedAt: z.string(),
  reason: quarantineReason,
  /** The verdict in words, and what to do. */
  verdict: z.string(),
  fix: z.string(),
  /** Null when it verified or was released, and when a list had no time for it: the verdict is then the receiver's own. */
  diagnosis: z.nullable(diagnosis),
  verified: z.boolean(),
  bytes: z.int(),
  ip: z.nullable(z.string()),
  releasedAt: z.nullable(z.string()),
  dismissedAt: z.nullable(z.string()),
  dismissedBy: z.nullable(z.string()),
});
export type QuarantineItem = z.infer<typeof quarantineItem>;

export const quarantineDetail = z.extend(quarantineItem, {
  detail: z.string(),
  /** Where the body stops being JSON: `offset` counts bytes, `line` and `column` from 1. Null when it is JSON, or only a part of it was kept. */
  parseError: z.nullable(
    z.object({
      offset: z.int(),
      line: z.nullable(z.int()),
      column: z.nullable(z.int()),
      near: z.nullable(z.object({ before: z.string(), at: z.string(), after: z.string() })),
    }),
  ),
  /** How it came, and the HTTP status that it was answered with. */
  method: z.literal("POST"),
  path: z.string(),
  answered: z.union([z.literal(202), z.literal(401)]),
  raw: z.nullable(z.string()),
  rawBase64: z.nullable(z.string()),
  headers: z.record(z.string(), z.string()),
});
export type QuarantineDetail = z.infer<typeof quarantineDetail>;

/** `GET /api/v1/quarantine`, newest first. */
export const quarantineQuery = z.extend(pageQuery, filterShape(QUARANTINE_FILTERS));
export const quarantinePage = pageOf(quarantineItem);

/** `GET /api/v1/quarantine/causes`: takes the filters of the list but `state`. */
export const quarantineCausesQuery = z.object(filterShape(QUARANTINE_CAUSE_FILTERS));

/** What is neither released nor dismissed and matches, by reason and source; the largest group first. */
export const quarantineCauses = z.object({
  total: z.int(),
  data: z.array(
    z.object({
      reason: quarantineReason,
      source: z.string(),
      count: z.int(),
      /** Different IP addresses. */
      senders: z.int(),
      firstAt: z.string(),
      lastAt: z.string(),
    }),
  ),
});
export type QuarantineCauses = z.infer<typeof quarantineCauses>;

export const releaseResult = z.object({ released: z.boolean(), eventId: z.nullable(z.string()), reason: z.nullable(z.string()) });
export type ReleaseResult = z.infer<typeof releaseResult>;

const someIds = z.optional(z.array(text(100)).check(z.minLength(1), z.maxLength(200)));

/**
 * `POST /api/v1/quarantine/releases`: checks what matches again, oldest first,
 * at most 200 requests and 16 MB a call, and releases what passes: what verifies
 * now or verified when it came, and is an event. Call again with `nextCursor` until it is
 * null. `dryRun` only counts. With `background` a worker does all of it: 202 with the operation.
 */
export const releasesBody = z
  .object({
    filter: z.strictObject({
      ids: someIds,
      ...filterShape(QUARANTINE_CAUSE_FILTERS),
    }),
    dryRun: z._default(z.boolean(), false),
    cursor: z.optional(cursorText),
    background: z._default(z.boolean(), false),
  })
  .check(
    z.refine(({ background, dryRun, cursor }) => !background || (!dryRun && cursor === undefined), {
      error: "background: takes neither dryRun nor cursor",
    }),
  );
export type ReleasesBody = z.infer<typeof releasesBody>;

/** What one call did. `examined` = `verifying` + `stillQuarantined`; `verifying` = `released` + `repeated` + `failed` unless it was a dry run. */
export const releasesResult = z.object({
  dryRun: z.boolean(),
  examined: z.int(),
  /** Verify now or verified when they came, and are events. */
  verifying: z.int(),
  stillQuarantined: z.int(),
  /** Are in the log now. */
  released: z.int(),
  /** The log had them already. */
  repeated: z.int(),
  /** Could not be stored; they stay, and can be released later. */
  failed: z.int(),
  nextCursor: z.nullable(z.string()),
});
export type ReleasesResult = z.infer<typeof releasesResult>;

/** `POST /api/v1/quarantine/dismissals`: dismisses all that match and were not released. An empty filter stands for all. */
export const dismissalBody = z.object({ filter: z.strictObject({ ids: someIds, ...filterShape(QUARANTINE_CAUSE_FILTERS) }) });
export type DismissalFilter = z.infer<typeof dismissalBody>["filter"];

/** How many were dismissed, and what takes it back; null when none was. */
export const dismissalResult = z.object({ dismissed: z.int(), dismissal: z.nullable(z.string()) });
export type DismissalResult = z.infer<typeof dismissalResult>;

/** `POST /api/v1/quarantine/restorations`: takes back a dismissal, or that of single requests. */
export const restorationBody = z.object({
  filter: z
    .strictObject({ ids: someIds, dismissal: z.optional(text(100)) })
    .check(z.refine(({ ids, dismissal }) => ids !== undefined || dismissal !== undefined, { error: "filter: needs ids or dismissal" })),
});
export type RestorationFilter = z.infer<typeof restorationBody>["filter"];

export const restorationResult = z.object({ restored: z.int() });
export type RestorationResult = z.infer<typeof restorationResult>;
