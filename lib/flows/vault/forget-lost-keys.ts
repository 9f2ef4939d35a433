import { eraseTotpSecrets } from "#lib/auth/factors/totp-store";
import { eraseLostTokens } from "#lib/connections/tokens/lost-token-store";
import { failLostRevocations } from "#lib/connections/tokens/revocation-store";
import { deleteSecretsOfLostKeys } from "#lib/forwarding/destination-secret-store";
import { deleteSecretsOfKeys } from "#lib/sources/source-store";
import { eraseLostRows } from "#lib/vault/sealed-row-store";
import { countByKey } from "./rotate-vault.ts";

/** Gives up what no key opens, so that the next start finds no missing key: connections need a new grant, signing secrets go (a start
 * takes WEBHOOK_SECRET), authenticator apps stop working, and URLs and secrets of destinations and alert channels are entered again. */
export async function forgetLostKeys(now: Date): Promise<{ keyIds: string[]; connections: number; secrets: number; targets: number }> {
  const keyIds = (await countByKey()).filter(({ place }) => place === "missing").map(({ keyId }) => keyId);
  await failLostRevocations(keyIds, now);
  const connections = await eraseLostTokens(keyIds, now);
  const secrets = (await deleteSecretsOfKeys(keyIds)) + (await eraseTotpSecrets(keyIds));
  const destinationSecrets = await deleteSecretsOfLostKeys(keyIds);
  const erased = await eraseLostRows(keyIds);
  const targets = (erased.get("destinations") ?? 0) + (erased.get("alert_channels") ?? 0) + destinationSecrets;
  return { keyIds, connections, secrets, targets };
}
