import * as z from "zod/mini";
import { cursorText, filteredPageOf, filterShape, pageQuery, restorationFilter, setFilterShape, someIds, text } from "./api/parameters.ts";
import { operation } from "./operations.ts";
import { DIAGNOSIS_CODES, QUARANTINE_CAUSE_FILTERS, QUARANTINE_FILTERS, QUARANTINE_REASONS } from "./quarantine-filters.ts";

const diagnosisCode = z.enum(DIAGNOSIS_CODES);

export type { DiagnosisCode } from "./quarantine-filters.ts";

/** Never holds a secret or a whole digest of ours. */
const diagnosis = z.object({
  code: diagnosisCode,
  /** Tells requests with one code apart: the secret's ID, the other sender, the signed URL, why it can't be decoded. */
  about: z.nullable(z.string()),
  verdict: z.string(),
  fix: z.string(),
  evidence: z.array(
    z.object({
      label: z.string(),
      value: z.string(),
      /** The beginning of a digest, to compare with the list's first, which was received. */
      digest: z.optional(z.string()),
    }),
  ),
  /** Releasing it would succeed now: it verified on receipt or verifies with a valid secret, and is an event. */
  verifiesNow: z.boolean(),
});
export type Diagnosis = z.infer<typeof diagnosis>;

export const quarantineReason = z.enum(QUARANTINE_REASONS);
export type QuarantineReason = z.infer<typeof quarantineReason>;

export const quarantineItem = z.object({
  id: z.string(),
  source: z.string(),
  receivedAt: z.string(),
  reason: quarantineReason,
  verdict: z.string(),
  fix: z.string(),
  /** Null if it was released or not diagnosed yet: then the verdict is the receiver's own. */
  diagnosis: z.nullable(diagnosis),
  verified: z.boolean(),
  /** What the body says of itself, to recognise a request by; proven only if it verified. Null if it says nothing readable, or is large. */
  claimed: z.nullable(z.object({ id: z.string(), type: z.string(), subject: z.nullable(z.string()) })),
  bytes: z.int(),
  ip: z.nullable(z.string()),
  releasedAt: z.nullable(z.string()),
  dismissedAt: z.nullable(z.string()),
  dismissedBy: z.nullable(z.string()),
});
export type QuarantineItem = z.infer<typeof quarantineItem>;

export const quarantineDetail = z.extend(quarantineItem, {
  detail: z.string(),
  /** Where the body stops being JSON: `offset` counts bytes, `line` and `column` from 1. Null if it is JSON, or was kept only in part. */
  parseError: z.nullable(
    z.object({
      offset: z.int(),
      line: z.nullable(z.int()),
      column: z.nullable(z.int()),
      near: z.nullable(z.object({ before: z.string(), at: z.string(), after: z.string() })),
    }),
  ),
  method: z.literal("POST"),
  path: z.string(),
  answered: z.union([z.literal(202), z.literal(401)]),
  raw: z.nullable(z.string()),
  rawBase64: z.nullable(z.string()),
  headers: z.record(z.string(), z.string()),
});
export type QuarantineDetail = z.infer<typeof quarantineDetail>;

export const quarantineQuery = z.extend(pageQuery, filterShape(QUARANTINE_FILTERS));
export const quarantinePage = filteredPageOf(quarantineItem);

export const quarantineDiagnosesQuery = z.object(filterShape(QUARANTINE_CAUSE_FILTERS));

/** Likely senders first, then the largest; at most 100 groups. `source`, `diagnosis` and `about` as filters select one. */
export const quarantineDiagnoses = z.object({
  total: z.int(),
  data: z.array(
    z.object({
      sourceId: z.string(),
      source: z.string(),
      code: z.nullable(diagnosisCode),
      about: z.nullable(z.string()),
      /** Continues "12 requests". */
      title: z.string(),
      verdict: z.string(),
      fix: z.string(),
      evidence: diagnosis.shape.evidence,
      count: z.int(),
      /** They verify now, or can be read as events now. */
      releasable: z.int(),
      /** Some likely come from a sender, not a scanner: only who has a secret could sign them so, or the body reads as an event. */
      likelyReal: z.boolean(),
      senders: z.int(),
      firstAt: z.string(),
      lastAt: z.string(),
      /** Requests to the source rejected between the first and the last of these; `kept` of them are in quarantine. */
      rejected: z.int(),
      kept: z.int(),
      /** So many were kept in some minute that the limits may have left out others. */
      limited: z.boolean(),
    }),
  ),
});
export type QuarantineDiagnoses = z.infer<typeof quarantineDiagnoses>;

export const releaseResult = z.object({ released: z.boolean(), eventId: z.nullable(z.string()), reason: z.nullable(z.string()) });
export type ReleaseResult = z.infer<typeof releaseResult>;

/**
 * Releases what verifies now or verified on receipt, and is an event: oldest first, at most 200 requests and 16 MB a call. Call again with
 * `nextCursor` until it is null. `background`: a worker does all of it (202).
 */
export const releasesBody = z
  .object({
    filter: z.strictObject({
      ids: someIds,
      ...setFilterShape(QUARANTINE_CAUSE_FILTERS),
    }),
    dryRun: z._default(z.boolean(), false),
    /** Also releases valid signatures that came too late. They may be copies of an earlier request; events that the log has are skipped. */
    late: z._default(z.boolean(), false),
    /** ID of a retired secret: a dry run counts as if it were accepted again. */
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

/** `examined` = `verifying` + `stillQuarantined`; `verifying` = `released` + `repeated` + `failed` unless it was a dry run. */
export const releasesResult = z.object({
  dryRun: z.boolean(),
  examined: z.int(),
  verifying: z.int(),
  stillQuarantined: z.int(),
  released: z.int(),
  repeated: z.int(),
  /** Could not be stored; they stay, and can be released later. */
  failed: z.int(),
  nextCursor: z.nullable(z.string()),
});
export type ReleasesResult = z.infer<typeof releasesResult>;

/** Skips released requests. An empty filter selects all. */
export const dismissalBody = z.object({ filter: z.strictObject({ ids: someIds, ...setFilterShape(QUARANTINE_CAUSE_FILTERS) }) });
export type DismissalFilter = z.infer<typeof dismissalBody>["filter"];

export const dismissalResult = z.object({ dismissed: z.int(), dismissal: z.nullable(z.string()) });
export type DismissalResult = z.infer<typeof dismissalResult>;

export const restorationBody = z.object({ filter: restorationFilter });
export type RestorationFilter = z.infer<typeof restorationBody>["filter"];

export const restorationResult = z.object({ restored: z.int() });
export type RestorationResult = z.infer<typeof restorationResult>;

/** Bytes of a quarantined request's body that are kept. */
export const CHECKED_BODY_BYTES = 65_536;

const tooLong = { error: `must be at most ${CHECKED_BODY_BYTES} bytes` };
const base64Length = Math.ceil(CHECKED_BODY_BYTES / 3) * 4;

/** Nothing of it is stored. `bodyBase64` replaces `body` for bytes that are no text. */
export const signatureCheckBody = z
  .object({
    body: z.optional(
      text(CHECKED_BODY_BYTES).check(z.refine((body) => new TextEncoder().encode(body).length <= CHECKED_BODY_BYTES, tooLong)),
    ),
    bodyBase64: z.optional(z.base64().check(z.maxLength(base64Length))),
    header: z._default(text(4000), ""),
    secret: text(500).check(z.minLength(1)),
  })
  .check(
    z.refine(({ body, bodyBase64 }) => (body === undefined) !== (bodyBase64 === undefined), {
      error: "requires either body or bodyBase64",
    }),
  );
export type SignatureCheckBody = z.input<typeof signatureCheckBody>;

export const signatureCheck = z.object({
  verifies: z.boolean(),
  /** The receiver's answer: 200 an event, 202 verified but no event, 401 not verified. */
  status: z.union([z.literal(200), z.literal(202), z.literal(401)]),
  code: diagnosisCode,
  verdict: z.string(),
  fix: z.string(),
  evidence: z.array(z.object({ label: z.string(), value: z.string() })),
  expected: z.string(),
  received: z.nullable(z.string()),
});
export type SignatureCheck = z.infer<typeof signatureCheck>;

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
