import { EnvError } from "#lib/config/env";
import { checkVault } from "#lib/flows/check-vault";
import { logger } from "#lib/observability/logger";

const GIVE_UP =
  "If the key is lost for good, give up what it sealed: npm run vault:rotate -- --forget-lost. Connections then ask to be reconnected; nothing of the event log is lost.";

/**
 * Sees before the doors open that VAULT_KEYS opens what is stored.
 *
 * @throws EnvError with the words to mend it, when it is another key ring than the data's
 */
export async function assertVaultFits(): Promise<void> {
  const check = await checkVault();
  if (check.outcome === "fits") return;
  const names = check.keyIds.join(", ");
  if (check.outcome === "wrong")
    throw new EnvError(
      `VAULT_KEYS is not right: the key ${names} is not the one that sealed the stored tokens and signing secrets.\nPut the right key back (your copy of VAULT_KEYS, or secrets.env in DATA_DIR).\nA new key wants a new name, before the old one: VAULT_KEYS=new-name:base64,${names}:base64`,
    );
  if (check.outcome === "none_fits")
    throw new EnvError(
      `VAULT_KEYS opens nothing that is stored: that was sealed with ${names}.\nPut that key back, after the new one: VAULT_KEYS=new-name:base64,${names}:base64\n${GIVE_UP}`,
    );
  logger().error(
    { keyIds: check.keyIds, connections: check.connections },
    "VAULT_KEYS lacks a key that is still in use: put it back; until then its connections ask to be reconnected",
  );
}
