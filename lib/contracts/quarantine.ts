import * as z from "zod/mini";
import { filterShape } from "./api/filter-schema.ts";
import type { FilterOf, Filters } from "./api/filters.ts";
import { cursorText, pageOf, pageQuery } from "./api/paging.ts";
import { text } from "./api/parameters.ts";
import { diagnosis } from "./diagnosis.ts";
import { IP_VALUE } from "./events/ip-value.ts";

/** Why a request was kept apart. The first four never verified (401); the last two did (202). */
const QUARANTINE_REASONS = [
  "signature_missing",
  "signature_malformed",
  "signature_repeated",
  "signature_mismatch",
  "malformed_json",
  "invalid_envelope",
] as const;
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

/** What narrows quarantined requests by what they are. A new one is an entry here and its SQL in lib/quarantine/quarantine-store.ts: releases and dismissals take it, too. */
export const QUARANTINE_CAUSE_FILTERS = {
  /** A part of its ID, its detail, its IP address or its body: of the body the bytes as they came, upper and lower case apart. */
  q: { value: { kind: "text", max: 200 }, label: "Search", input: { as: "text", placeholder: "ID, IP address or text of the body" } },
  reason: {
    value: { kind: "choice", values: QUARANTINE_REASONS },
    label: "Reason",
    choices: {
      signature_missing: "No signature",
      signature_malformed: "Malformed signature",
      signature_repeated: "Multiple signatures",
      signature_mismatch: "No match",
      malformed_json: "Invalid JSON",
      invalid_envelope: "Invalid event",
    },
    input: { as: "select", any: "Any reason" },
  },
  source: { value: { kind: "text", max: 100 }, label: "Source", input: { as: "select", of: "sources", any: "Any source" } },
  ip: { value: IP_VALUE, label: "Received from IP", input: { as: "text", placeholder: "IP or network, e.g. 192.0.2.0/24" } },
  from: { value: { kind: "moment" }, label: "From" },
  to: { value: { kind: "moment" }, label: "To" },
} as const satisfies Filters;
export type QuarantineCauseFilter = FilterOf<typeof QUARANTINE_CAUSE_FILTERS>;

const QUARANTINE_STATES = ["quarantined", "dismissed", "released"] as const;
export type QuarantineState = (typeof QUARANTINE_STATES)[number];

/** The filters of the list of quarantined requests. */
export const QUARANTINE_FILTERS = {
  state: {
    value: { kind: "choice", values: QUARANTINE_STATES },
    label: "State",
    choices: { quarantined: "Quarantined", dismissed: "Dismissed", released: "Released" },
    input: { as: "buttons" },
    fallback: "quarantined",
  },
  ...QUARANTINE_CAUSE_FILTERS,
} as const satisfies Filters;
export type QuarantineFilter = FilterOf<typeof QUARANTINE_FILTERS>;

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
