import { eraseLostTokens } from "#lib/connections/tokens/lost-token-store";
import { deleteSecretsOfKeys } from "#lib/sources/source-store";
import { countByKey } from "./rotate-vault.ts";

/**
 * Gives up what no key of the ring opens: connections ask for a new
 * permission, signing secrets go (the next start takes WEBHOOK_SECRET again).
 */
export async function forgetLostKeys(now = new Date()): Promise<{ keyIds: string[]; connections: number; secrets: number }> {
  const keyIds = (await countByKey()).filter(({ place }) => place === "missing").map(({ keyId }) => keyId);
  return { keyIds, connections: await eraseLostTokens(keyIds, now), secrets: await deleteSecretsOfKeys(keyIds) };
}
