import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { SealContext } from "./vault.ts";

export const sourceSecretPlace = (workspaceId: WorkspaceId, secretId: string): SealContext => ({
  workspaceId,
  table: "source_secrets",
  row: secretId,
  field: "sealed",
});
