import * as z from "zod/mini";
import { filterShape } from "./api/filter-schema.ts";
import { cursorText, pageOf, pageQuery } from "./api/paging.ts";
import { text } from "./api/parameters.ts";
import { diagnosis, diagnosisCode } from "./diagnosis.ts";
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
  /** Null when it was released, and when nobody has looked at it yet: the verdict is then the receiver's own. */
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
  /**
   * Place where the body stops being JSON: `offset` counts bytes, `line` and `column` from 1. Null when it is JSON, or only a
   * part of it was kept.
   */
  parseError: z.nullable(
    z.object({
      offset: z.int(),
      line: z.nullable(z.int()),
      column: z.nullable(z.int()),
      near: z.nullable(z.object({ before: z.string(), at: z.string(), after: z.string() })),
    }),
  ),
  /** Its method, and the HTTP status that it was answered with. */
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

/** `GET /api/v1/quarantine/diagnoses`: takes the filters of the list but `state`. */
export const quarantineDiagnosesQuery = z.object(filterShape(QUARANTINE_CAUSE_FILTERS));

/**
 * Matching requests that are neither released nor dismissed, by source and diagnosis: likely a sender's first, then the
 * largest; at most 100 groups. `source`, `diagnosis` and `about` as filters select one.
 */
export const quarantineDiagnoses = z.object({
  total: z.int(),
  data: z.array(
    z.object({
      sourceId: z.string(),
      source: z.string(),
      /** Null for what the worker has not looked at yet. */
      code: z.nullable(diagnosisCode),
      /** Tells groups of one code apart: the secret's ID, the other sender, the URL that was signed. */
      about: z.nullable(z.string()),
      /** Their common property, as it goes on after "12 requests". */
      title: z.string(),
      /** The newest one's. */
      verdict: z.string(),
      fix: z.string(),
      evidence: diagnosis.shape.evidence,
      count: z.int(),
      /** Can be released as they are: they verify now, or can be read as events now. */
      releasable: z.int(),
      /** Some of them likely are a sender's, and no scanner's. */
      likelyReal: z.boolean(),
      /** Different IP addresses. */
      senders: z.int(),
      firstAt: z.string(),
      lastAt: z.string(),
      /** Requests to the source that were rejected from the first to the last of these, whatever their diagnosis, and how many of those were kept. */
      rejected: z.int(),
      kept: z.int(),
    }),
  ),
});
export type QuarantineDiagnoses = z.infer<typeof quarantineDiagnoses>;

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
    /** Releases what is signed rightly and came too late, too. It may be a copy of an earlier request; an event that the log has is skipped. */
    late: z._default(z.boolean(), false),
    /** The ID of a retired secret: a dry run counts as if it were accepted again. */
    accept: z.optional(text(100)),
    cursor: z.optional(cursorText),
    background: z._default(z.boolean(), false),
  })
  .check(
    z.refine(({ background, dryRun, cursor }) => !background || (!dryRun && cursor === undefined), {
      error: "background: can't be combined with dryRun or cursor",
    }),
    z.refine(({ accept, dryRun }) => accept === undefined || dryRun, { error: "accept: requires dryRun" }),
  );
export type ReleasesBody = z.infer<typeof releasesBody>;

/**
 * Result of one call. `examined` = `verifying` + `stillQuarantined`; `verifying` = `released` + `repeated` + `failed` unless
 * it was a dry run.
 */
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

/** Number of requests dismissed, and the ID that undoes it; null when none was. */
export const dismissalResult = z.object({ dismissed: z.int(), dismissal: z.nullable(z.string()) });
export type DismissalResult = z.infer<typeof dismissalResult>;

/** `POST /api/v1/quarantine/restorations`: takes back a dismissal, or that of single requests. */
export const restorationBody = z.object({
  filter: z
    .strictObject({ ids: someIds, dismissal: z.optional(text(100)) })
    .check(z.refine(({ ids, dismissal }) => ids !== undefined || dismissal !== undefined, { error: "filter: requires ids or dismissal" })),
});
export type RestorationFilter = z.infer<typeof restorationBody>["filter"];

export const restorationResult = z.object({ restored: z.int() });
export type RestorationResult = z.infer<typeof restorationResult>;
