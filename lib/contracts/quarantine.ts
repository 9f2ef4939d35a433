import { z } from "zod";
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
  diagnosis: diagnosis.nullable(),
  verified: z.boolean(),
  bytes: z.number().int(),
  remoteAddress: z.string().nullable(),
  admittedAt: z.string().nullable(),
});
export type QuarantineItem = z.infer<typeof quarantineItem>;

export const quarantineDetail = quarantineItem.extend({
  detail: z.string(),
  raw: z.string().nullable(),
  rawBase64: z.string().nullable(),
  headers: z.record(z.string(), z.string()),
});
export type QuarantineDetail = z.infer<typeof quarantineDetail>;
export const quarantinePage = pageOf(quarantineItem);

export const admitResult = z.object({ admitted: z.boolean(), eventId: z.string().nullable(), reason: z.string().nullable() });
export type AdmitResult = z.infer<typeof admitResult>;

/**
 * `POST /api/v1/quarantine/admissions`: re-verifies what matches, oldest first,
 * 200 a call, and admits what passes. Call again with `nextCursor` until it is
 * null. `dryRun` only counts.
 */
export const admissionsBody = z.object({
  filter: z
    .object({ ids: z.array(z.string().max(100)).min(1).max(200), source: z.string().max(100), reason: quarantineReason })
    .partial()
    .strict(),
  dryRun: z.boolean().default(false),
  cursor: z.string().max(500).optional(),
});
export type AdmissionsBody = z.infer<typeof admissionsBody>;

/** What one call did. `examined` = `verifying` + `stillRefused`; `verifying` = `admitted` + `repeated` + `failed` unless it was a dry run. */
export const admissionsResult = z.object({
  dryRun: z.boolean(),
  examined: z.number().int(),
  /** Verify now with a valid secret, and are events. */
  verifying: z.number().int(),
  stillRefused: z.number().int(),
  /** Are in the log now. */
  admitted: z.number().int(),
  /** The log had them already. */
  repeated: z.number().int(),
  /** Could not be stored just now; they stay, and can be admitted later. */
  failed: z.number().int(),
  nextCursor: z.string().nullable(),
});
export type AdmissionsResult = z.infer<typeof admissionsResult>;
