import * as z from "zod/mini";
import { diagnosis } from "./diagnosis.ts";
import { pageOf } from "./paging.ts";

/** Why a request was refused. The first five never verified; the last two did. */
export const quarantineReason = z.enum([
  "signature_missing",
  "signature_malformed",
  "signature_repeated",
  "signature_mismatch",
  "malformed_json",
  "invalid_envelope",
]);
export type QuarantineReason = z.infer<typeof quarantineReason>;

export const quarantineItem = z.object({
  id: z.string(),
  source: z.string(),
  receivedAt: z.string(),
  reason: quarantineReason,
  /** The verdict in words, and what to do. */
  verdict: z.string(),
  mend: z.string(),
  /** Null when it verified or was admitted, and when a list had no time for it: the verdict is then the receiver's own. */
  diagnosis: z.nullable(diagnosis),
  verified: z.boolean(),
  bytes: z.int(),
  remoteAddress: z.nullable(z.string()),
  admittedAt: z.nullable(z.string()),
});
export type QuarantineItem = z.infer<typeof quarantineItem>;

export const quarantineDetail = z.extend(quarantineItem, {
  detail: z.string(),
  raw: z.nullable(z.string()),
  rawBase64: z.nullable(z.string()),
  headers: z.record(z.string(), z.string()),
});
export type QuarantineDetail = z.infer<typeof quarantineDetail>;
export const quarantinePage = pageOf(quarantineItem);

export const admitResult = z.object({ admitted: z.boolean(), eventId: z.nullable(z.string()), reason: z.nullable(z.string()) });
export type AdmitResult = z.infer<typeof admitResult>;

/**
 * `POST /api/v1/quarantine/admissions`: re-verifies what matches, oldest first,
 * 200 a call, and admits what passes. Call again with `nextCursor` until it is
 * null. `dryRun` only counts.
 */
export const admissionsBody = z.object({
  filter: z.partial(
    z.strictObject({
      ids: z.array(z.string().check(z.maxLength(100))).check(z.minLength(1), z.maxLength(200)),
      source: z.string().check(z.maxLength(100)),
      reason: quarantineReason,
    }),
  ),
  dryRun: z._default(z.boolean(), false),
  cursor: z.optional(z.string().check(z.maxLength(500))),
});
export type AdmissionsBody = z.infer<typeof admissionsBody>;

/** What one call did. `examined` = `verifying` + `stillRefused`; `verifying` = `admitted` + `repeated` + `failed` unless it was a dry run. */
export const admissionsResult = z.object({
  dryRun: z.boolean(),
  examined: z.int(),
  /** Verify now with a valid secret, and are events. */
  verifying: z.int(),
  stillRefused: z.int(),
  /** Are in the log now. */
  admitted: z.int(),
  /** The log had them already. */
  repeated: z.int(),
  /** Could not be stored just now; they stay, and can be admitted later. */
  failed: z.int(),
  nextCursor: z.nullable(z.string()),
});
export type AdmissionsResult = z.infer<typeof admissionsResult>;
