import type { Metadata } from "next";
import { KeysPage } from "#components/settings/keys-page";
import { Prefetched } from "#components/shell/prefetched";
import { listApiKeys } from "#lib/auth/api-key-store";
import { requireActor } from "#lib/auth/require-actor";
import { apiKeysQuery } from "#lib/client/queries/settings";

export const metadata: Metadata = { title: "API keys" };

export default async function Page() {
  const actor = await requireActor("keys.manage");
  return (
    <Prefetched entries={[[apiKeysQuery.queryKey, await listApiKeys(actor.workspaceId)]]}>
      <KeysPage />
    </Prefetched>
  );
}
