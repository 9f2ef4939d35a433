import type { Metadata } from "next";
import { ApiReferencePage } from "#components/api-reference/api-reference-page";
import { can } from "#lib/auth/permissions";
import { requireActor } from "#lib/auth/require-actor";
import { describeApi } from "../../api/v1/inventory.ts";

export const metadata: Metadata = { title: "API reference" };

/** The API reference. */
export default async function Page() {
  const actor = await requireActor("session.read");
  return <ApiReferencePage document={await describeApi()} canManageKeys={can(actor.role, "keys.manage")} />;
}
