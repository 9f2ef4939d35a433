import { eraseTotpSecrets } from "#lib/auth/factors/totp-store";
import { eraseLostTokens } from "#lib/connections/tokens/lost-token-store";
import { deleteSecretsOfLostKeys } from "#lib/forwarding/destination-secret-store";
import { deleteSecretsOfKeys } from "#lib/sources/source-store";
import { eraseSealedForTargets } from "#lib/vault/sealed-row-store";
import { countByKey } from "./rotate-vault.ts";

/**
 * Gives up what no key of the ring opens: connections ask for a new
 * permission, signing secrets go (the next start takes WEBHOOK_SECRET again), authenticator apps are never right again
 * (the person has recovery codes, an owner removes the app), and URLs and secrets of destinations and alert channels have to be entered again.
 */
export async function forgetLostKeys(
  now = new Date(),
): Promise<{ keyIds: string[]; connections: number; secrets: number; targets: number }> {
  const keyIds = (await countByKey()).filter(({ place }) => place === "missing").map(({ keyId }) => keyId);
  return {
    keyIds,
    connections: await eraseLostTokens(keyIds, now),
    secrets: (await deleteSecretsOfKeys(keyIds)) + (await eraseTotpSecrets(keyIds)),
    targets: (await eraseSealedForTargets(keyIds)) + (await deleteSecretsOfLostKeys(keyIds)),
  };
}
