import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { ConnectionPage } from "#components/connections/connection-page";
import { Prefetched } from "#components/shell/prefetched";
import { can } from "#lib/auth/permissions";
import { requireActor } from "#lib/auth/require-actor";
import { readConnection } from "#lib/flows/read-connection";
import { readOutcome } from "../outcome.ts";

export const metadata: Metadata = { title: "Connection" };

type Props = { params: Promise<{ id: string }>; searchParams: Promise<Record<string, string | string[] | undefined>> };

export default async function Page({ params, searchParams }: Props) {
  const [{ id }, { outcome }] = await Promise.all([params, searchParams]);
  const actor = await requireActor("connections.read");
  const connection = await readConnection(actor.workspaceId, id, new Date());
  if (!connection) notFound();
  return (
    <Prefetched entries={[[["connection", id], connection]]}>
      <ConnectionPage id={id} canManage={can(actor.role, "connections.manage")} outcome={readOutcome(outcome)} />
    </Prefetched>
  );
}
