import { env } from "#lib/config/env";
import { expectFound } from "#lib/contracts/api/app-error";
import type { SourceId, WorkspaceId } from "#lib/contracts/api/ids";
import type { SourceDelay } from "#lib/contracts/auth/settings";
import { barStarts, type ChartRange, RANGE_STEPS } from "#lib/contracts/events/event-times";
import { type Source, source } from "#lib/contracts/sources/sources";
import { answered } from "#lib/db/columns";
import { listLastArrivals, MAX_DELAYED, measureDelays } from "#lib/events/source-arrival-store";
import type { SourceSender } from "#lib/platform/schemes/sender-requests";
import { schemeOf, TEMPLATES } from "#lib/platform/schemes/templates";
import { listHolding } from "#lib/quarantine/quarantine-store";
import { findMainSource, findSource, listSources, type StoredSource } from "#lib/sources/source-store";

export async function readSources(workspaceId: WorkspaceId): Promise<Source[]> {
  const [sources, arrivals, main, holding] = await Promise.all([
    listSources(workspaceId),
    listLastArrivals(workspaceId),
    findMainSource(workspaceId, env().WEBHOOK_SOURCE),
    listHolding(workspaceId),
  ]);
  const held = new Map(holding.map((each) => [each.id, each.held]));
  return sources.map((each) =>
    sourceOf(each, { main: each.id === main, lastEventAt: arrivals.get(each.id) ?? null, held: held.get(each.id) ?? 0 }),
  );
}

/** Names of the sources whose events make documents. */
export const listDocumentSources = async (workspaceId: WorkspaceId): Promise<string[]> =>
  (await listSources(workspaceId)).flatMap(({ name, records }) => (records === "platform" || records === "documents" ? [name] : []));

export async function readSource(workspaceId: WorkspaceId, sourceId: SourceId): Promise<Source> {
  const found = (await readSources(workspaceId)).find(({ id }) => id === sourceId);
  return expectFound(found, "source with that ID");
}

/** Returns how an active source is signed for. @throws AppError `not_found`, also for another workspace's */
export async function findOwnSource(workspaceId: WorkspaceId, name: string): Promise<SourceSender> {
  const found = await findSource(workspaceId, { name });
  const active = found?.archivedAt === null ? found : null;
  const { template, scheme, reading } = await expectFound(active, `source named ${name} that receives webhooks`);
  return { template, scheme, reading };
}

type Beside = { main: boolean; lastEventAt: Date | null; held: number };

function sourceOf(stored: StoredSource, { main, lastEventAt, held }: Beside): Source {
  const { name, template, secrets } = stored;
  const signing = schemeOf(template, stored.scheme);
  return answered(source, {
    ...stored,
    url: `${env().WEBHOOK_URL}/webhooks/${name}`,
    sender: TEMPLATES[template].title,
    generatesSecret: TEMPLATES[template].issuesSecret !== true && signing.publicKey === undefined,
    issuesSecret: TEMPLATES[template].issuesSecret !== undefined,
    trust: signing.trust,
    covers: [...(signing.covers ?? [])],
    held,
    keepLate: signing.knowsLate ? stored.keepLate : null,
    main,
    secrets: secrets.map(({ id, createdAt, validUntil }) => ({
      id,
      createdAt: createdAt.toISOString(),
      validUntil: validUntil?.toISOString() ?? null,
    })),
    lastEventAt,
  });
}

/** Measures how long events were on their way, from the platform's `created` to the receipt; null without such a source. */
export async function readDelay(workspaceId: WorkspaceId, sourceId: string, now: Date, range: ChartRange): Promise<SourceDelay | null> {
  if (!(await findSource(workspaceId, { id: sourceId }))) return null;
  const starts = barStarts(range, now);
  const { stepSeconds } = RANGE_STEPS[range];
  const delays = await measureDelays(workspaceId, sourceId, { since: starts[0] ?? 0, step: stepSeconds });
  const whole = delays?.find(({ at }) => at === null);
  return {
    since: new Date((starts[0] ?? 0) * 1000).toISOString(),
    stepSeconds,
    complete: delays !== null && (whole?.events ?? 0) + (whole?.leftOut ?? 0) < MAX_DELAYED,
    events: whole?.events ?? 0,
    leftOut: whole?.leftOut ?? 0,
    p50Ms: whole?.p50 ?? null,
    p95Ms: whole?.p95 ?? null,
    bars: starts.map((start) => {
      const bar = delays?.find(({ at }) => at === start);
      return { at: new Date(start * 1000).toISOString(), events: bar?.events ?? 0, p50Ms: bar?.p50 ?? null, p95Ms: bar?.p95 ?? null };
    }),
  };
}
