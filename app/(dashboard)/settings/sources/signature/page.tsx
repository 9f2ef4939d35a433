import type { Metadata } from "next";
import { SignaturePlayground } from "#components/settings/sources/signature-playground";
import { requireActor } from "#lib/auth/require-actor";
import { readQuarantined } from "#lib/flows/quarantine/quarantine";
import { SIGNATURE_HEADER } from "#lib/platform/signature";
import { recordId } from "../../../page-url.ts";

export const metadata: Metadata = { title: "Signature playground" };

type Query = Promise<Record<string, string | string[] | undefined>>;

/** Starts empty, or with the body and header of the quarantined request in `?request=`. */
export default async function Page({ searchParams }: { searchParams: Query }) {
  const actor = await requireActor("signatures.check");
  const { request } = await searchParams;
  const entry = typeof request === "string" ? await readQuarantined(actor.workspaceId, recordId(request), new Date()) : null;
  const kept = entry && { id: entry.id, bytes: entry.bytes, raw: entry.raw, rawBase64: entry.rawBase64 };
  return <SignaturePlayground key={entry?.id ?? ""} request={kept && { ...kept, header: entry.headers[SIGNATURE_HEADER] ?? "" }} />;
}
