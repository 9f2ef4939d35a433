import type { Metadata } from "next";
import { ReferenceStart } from "#components/api-reference/reference";
import { requireActor } from "#lib/auth/require-actor";
import { describeApi } from "../../api/v1/inventory.ts";

export const metadata: Metadata = { title: "API reference" };

export default async function Page() {
  await requireActor("session.read");
  return <ReferenceStart document={await describeApi()} />;
}
