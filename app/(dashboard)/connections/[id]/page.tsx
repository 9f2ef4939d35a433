import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { cache } from "react";
import { ConnectionPage } from "#components/connections/connection-page";
import { Prefetched } from "#components/shell/prefetched";
import { can } from "#lib/auth/permissions";
import { requireActor } from "#lib/auth/require-actor";
import { connectionQuery } from "#lib/client/queries/connections";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { readConnection } from "#lib/flows/connections/connections";
import { platformSetup } from "#lib/platform/oauth";
import { readOutcome } from "../outcome.ts";

type Props = { params: Promise<{ id: string }>; searchParams: Promise<Record<string, string | string[] | undefined>> };

/** The page and its title need the same connection. */
const readNow = cache((workspaceId: WorkspaceId, id: string) => readConnection(workspaceId, id, new Date()));

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const actor = await requireActor("connections.read");
  const connection = await readNow(actor.workspaceId, (await params).id);
  return { title: connection === null ? "Connection" : `${connection.name} · connection` };
}

export default async function Page({ params, searchParams }: Props) {
  const [{ id }, { outcome }] = await Promise.all([params, searchParams]);
  const actor = await requireActor("connections.read");
  const connection = await readNow(actor.workspaceId, id);
  if (!connection) notFound();
  return (
    <Prefetched entries={[[connectionQuery(id).queryKey, connection]]}>
      <ConnectionPage id={id} platform={platformSetup()} canManage={can(actor.role, "connections.manage")} outcome={readOutcome(outcome)} />
    </Prefetched>
  );
}
