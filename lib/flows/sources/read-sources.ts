import { env } from "#lib/config/env";
import { AppError } from "#lib/contracts/api/app-error";
import type { SourceId, WorkspaceId } from "#lib/contracts/api/ids";
import type { Source } from "#lib/contracts/sources/sources";
import { listLastArrivals } from "#lib/events/source-arrival-store";
import type { SourceSender } from "#lib/platform/schemes/passed-headers";
import { schemeOf, TEMPLATES } from "#lib/platform/schemes/templates";
import { listHolding } from "#lib/quarantine/held-store";
import { findMainSource, listSources, type StoredSource } from "#lib/sources/source-store";

export async function readSources(workspaceId: WorkspaceId): Promise<Source[]> {
  const [sources, arrivals, main, holding] = await Promise.all([
    listSources(workspaceId),
    listLastArrivals(workspaceId),
    findMainSource(workspaceId, env().WEBHOOK_SOURCE),
    listHolding(workspaceId),
  ]);
  const held = new Map(holding.map((source) => [source.id, source.held]));
  return sources.map((source) =>
    sourceOf(source, { main: source.id === main, lastEventAt: arrivals.get(source.id), held: held.get(source.id) ?? 0 }),
  );
}

export const listSourceNamesOf = async (workspaceId: WorkspaceId): Promise<string[]> =>
  (await listSources(workspaceId)).map(({ name }) => name);

export async function readSource(workspaceId: WorkspaceId, sourceId: SourceId): Promise<Source> {
  const found = (await readSources(workspaceId)).find(({ id }) => id === sourceId);
  if (!found) throw new AppError("not_found", "There is no source with that ID.");
  return found;
}

/** Returns how an active source is signed for. @throws AppError `not_found`, also for another workspace's */
export async function findOwnSource(workspaceId: WorkspaceId, name: string): Promise<SourceSender> {
  const found = (await listSources(workspaceId)).find((source) => source.name === name && source.archivedAt === null);
  if (!found) throw new AppError("not_found", `There is no source named ${name} that receives webhooks.`);
  const { template, scheme, reading } = found;
  return { template, scheme, reading };
}

function sourceOf(
  { id, name, template, scheme, reading, records, record, archivedAt, pausedAt, retentionDays, keepLate, secrets }: StoredSource,
  { main, lastEventAt, held }: { main: boolean; lastEventAt: Date | undefined; held: number },
): Source {
  const signing = schemeOf(template, scheme);
  return {
    id,
    name,
    url: `${env().WEBHOOK_URL}/webhooks/${name}`,
    template,
    sender: TEMPLATES[template].title,
    trust: signing.trust,
    records,
    record,
    scheme,
    reading,
    archivedAt: archivedAt?.toISOString() ?? null,
    pausedAt: pausedAt?.toISOString() ?? null,
    held,
    retentionDays,
    keepLate: signing.knowsLate ? keepLate : null,
    main,
    secrets: secrets.map((secret) => ({
      id: secret.id,
      createdAt: secret.createdAt.toISOString(),
      validUntil: secret.validUntil?.toISOString() ?? null,
    })),
    lastEventAt: lastEventAt?.toISOString() ?? null,
  };
}
