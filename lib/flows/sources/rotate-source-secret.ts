import type * as z from "zod/mini";
import type { Actor } from "#lib/auth/actor";
import type { Audit } from "#lib/auth/audit/audit";
import type { SourceId } from "#lib/contracts/api/ids";
import type { rotatedSecret, rotateSecretBody } from "#lib/contracts/auth/settings";
import { rotateSecret } from "#lib/sources/source-store";

/**
 * Gives a source another signing secret; the one before verifies on for the overlap.
 *
 * @returns the secret where it was generated, which is shown once; null where it was given
 * @throws AppError `not_found`, `conflict`
 */
export async function rotateSourceSecret(
  { workspaceId }: Actor,
  source: SourceId,
  { overlapHours, secret: given }: z.infer<typeof rotateSecretBody>,
  audit: Audit,
): Promise<z.infer<typeof rotatedSecret>> {
  const { id, name, previousId, secret, previousValidUntil } = await rotateSecret(workspaceId, source, overlapHours, given);
  const endsAt = previousValidUntil.toISOString();
  await audit.record({
    action: "secret.rotated",
    target: { kind: "source", id: source, name },
    before: { active: previousId },
    after: { active: id, previousEndsAt: endsAt, given: given !== undefined },
  });
  return { id, secret, previousValidUntil: endsAt };
}
