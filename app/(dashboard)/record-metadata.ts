import type { Metadata } from "next";
import { cache } from "react";
import { KIND_WORDS } from "#components/views/view-labels";
import { requireActor } from "#lib/auth/require-actor";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { visible } from "#lib/contracts/api/plain-text";
import type { ViewKind } from "#lib/contracts/views";
import { readView } from "#lib/flows/views/read-views";
import { recordId, type SearchParams } from "./page-url.ts";

// Apart from the page of a record: what a page imports, its browser loads, and a pipeline has a page of its own.

export type RecordProps = { params: Promise<{ id: string }>; searchParams: SearchParams };

/** The page and its title need the same record. */
export const readNow = cache((workspaceId: WorkspaceId, kind: ViewKind, id: string) => readView(workspaceId, kind, id, null));

export async function recordMetadata(kind: ViewKind, { params }: RecordProps): Promise<Metadata> {
  const actor = await requireActor("views.read");
  const id = recordId((await params).id);
  const record = await readNow(actor.workspaceId, kind, id);
  const named = record !== null && record.label !== id;
  return { title: `${visible((named ? record.label : id).slice(0, 60))} · ${KIND_WORDS[kind].one}` };
}
