import type * as z from "zod/mini";
import type { Actor } from "#lib/auth/actor";
import type { Audit } from "#lib/auth/audit/audit";
import { AppError } from "#lib/contracts/api/app-error";
import type { SourceId } from "#lib/contracts/api/ids";
import type { rotatedSecret, rotateSecretBody } from "#lib/contracts/auth/settings";
import { rotateSecret } from "#lib/sources/source-store";
import { readSource } from "./read-sources.ts";
import { secretFor } from "./source-secret.ts";

/** Rotates a secret; the one before verifies on for the overlap. Only a generated one is returned.
 * @throws AppError `not_found`, `conflict`, `invalid_request` for a secret that the sender can't have */
export async function rotateSourceSecret(
  { workspaceId }: Actor,
  source: SourceId,
  { overlapHours, secret: given }: z.infer<typeof rotateSecretBody>,
  now: Date,
  audit: Audit,
): Promise<z.infer<typeof rotatedSecret>> {
  const made = secretFor(await readSource(workspaceId, source), given);
  if (made === null) throw new AppError("invalid_request", "This source has no secret that could be rotated.");
  const { id, name, previousId, previousValidUntil } = await rotateSecret(workspaceId, source, overlapHours, now, made);
  const endsAt = previousValidUntil.toISOString();
  await audit.record({
    action: "secret.rotated",
    target: { kind: "source", id: source, name },
    before: { active: previousId },
    after: { active: id, previousEndsAt: endsAt, given: given !== undefined },
  });
  return { id, secret: given === undefined ? made : null, previousValidUntil: endsAt };
}
