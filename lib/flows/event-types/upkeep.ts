import { newId } from "#lib/contracts/api/ids";
import { inTransaction, pool } from "#lib/db/pool";
import { VOLUME_DAYS, volumeDrift } from "#lib/event-types/drift-rules";
import { forgetValues } from "#lib/event-types/history-store";
import { type FieldPath, ROOT, type SchemaTree } from "#lib/event-types/schema";
import {
  findSchemas,
  type KeptSince,
  listKeptSince,
  listWatchedVolumes,
  lockSchemas,
  type StoredSchema,
  saveTold,
  saveVolume,
  type VolumeWatch,
  type WatchedVolume,
} from "#lib/event-types/schema-store";
import { countByDay, type DayCount } from "#lib/events/volume-store";
import { endDrifts, openDrifts, volumeDriftOf } from "./record-drift.ts";

const PIECE = 20;

/** Takes the values out of schemas that no event of the log has any more. Versions keep theirs: a person published them. Returns how many. */
export async function forgetExpiredValues(): Promise<number> {
  let [after, forgotten] = ["", 0];
  for (;;) {
    const page = await listKeptSince(after, PIECE);
    const last = page.at(-1);
    if (!last) return forgotten;
    after = last.id;
    const stored = new Map((await findSchemas(page.map(({ id }) => id))).map((schema) => [schema.id, schema]));
    for (const one of page) {
      const schema = stored.get(one.id);
      if (schema && expiredIn(schema.tree, one).length > 0) forgotten += await forgetIn(one);
    }
  }
}

async function forgetIn(one: KeptSince): Promise<number> {
  return inTransaction(pool("worker"), async (client) => {
    const [schema] = await lockSchemas(client, [one.id]);
    if (!schema) return 0;
    const expired = expiredIn(schema.tree, one);
    const fields = { ...schema.tree.fields };
    for (const { path, hashes, texts } of expired) {
      const stats = fields[path];
      if (!stats?.values) continue;
      fields[path] = { ...stats, values: Object.fromEntries(Object.entries(stats.values).filter(([hash]) => !hashes.includes(hash))) };
      await forgetValues(client, one.id, path, texts);
    }
    await saveTold(client, { ...schema, tree: { ...schema.tree, fields } });
    return expired.reduce((sum, { hashes }) => sum + hashes.length, 0);
  });
}

type Expired = { path: FieldPath; hashes: string[]; texts: string[] };

function expiredIn({ fields }: SchemaTree, { keptSince }: KeptSince): Expired[] {
  return Object.entries(fields).flatMap(([path, { values }]) => {
    const gone = Object.entries(values ?? {}).filter(([, { last }]) => keptSince === null || last[1] < keptSince.getTime());
    const texts = gone.flatMap(([, { text }]) => text ?? []);
    return gone.length === 0 ? [] : [{ path, hashes: gone.map(([hash]) => hash), texts }];
  });
}

const DAY_MS = 86_400_000;

/** Compares each type's events of yesterday (UTC) with those of the 14 days before. A source that fell as a whole is silent, and has an alert of its
 * own. Returns how many drifts were opened and closed. */
export async function watchVolume(now: Date): Promise<{ opened: number; closed: number }> {
  const today = Math.floor(now.getTime() / DAY_MS) * DAY_MS;
  const days = Array.from({ length: VOLUME_DAYS + 1 }, (_, at) => today - (VOLUME_DAYS + 1 - at) * DAY_MS);
  const counts = await countByDay(new Date(days[0] ?? today), new Date(today));
  const sums = { opened: 0, closed: 0 };
  const bySource = Map.groupBy(counts, ({ sourceId }) => sourceId);
  for (const watched of await listWatchedVolumes()) {
    const ofSource = bySource.get(watched.sourceId) ?? [];
    const ofType = ofSource.filter(({ type }) => type === watched.type);
    const step = stepOf(watched, seriesOf(days, ofType), seriesOf(days, ofSource));
    if (step) sums[await take(watched.id, step, now)] += 1;
  }
  return sums;
}

function seriesOf(days: number[], counts: DayCount[]): number[] {
  const events = new Map<number, number>();
  for (const { day, events: n } of counts) events.set(day.getTime(), (events.get(day.getTime()) ?? 0) + n);
  return days.map((day) => events.get(day) ?? 0);
}

type Step = { kind: "opened"; volume: VolumeWatch; expected: string; observed: string } | { kind: "closed"; driftId: string };

/** @param series events of each day, yesterday last */
function stepOf({ volume }: WatchedVolume, series: number[], ofSource: number[]): Step | null {
  const [past, day] = [series.slice(0, -1), series.at(-1) ?? 0];
  if (volume) return volumeDrift(repeated([volume.fewest, volume.most]), day) === null ? { kind: "closed", driftId: volume.driftId } : null;
  const drift = volumeDrift(past, day);
  if (drift === null || volumeDrift(ofSource.slice(0, -1), ofSource.at(-1) ?? 0) === drift) return null;
  const [fewest, most] = [Math.min(...past), Math.max(...past)];
  const words = (n: number) => n.toLocaleString("en-US");
  const expected = `${words(fewest)} to ${words(most)} events a day`;
  return { kind: "opened", volume: { driftId: newId("dft"), fewest, most }, expected, observed: `${words(day)} on a whole day` };
}

const repeated = (bounds: number[]): number[] => Array.from({ length: VOLUME_DAYS }, (_, at) => bounds[at % bounds.length] ?? 0);

async function take(id: string, step: Step, now: Date): Promise<Step["kind"]> {
  await inTransaction(pool("worker"), async (client) => {
    const [schema] = await lockSchemas(client, [id]);
    if (!schema) return;
    await saveVolume(client, id, step.kind === "opened" ? step.volume : null);
    if (step.kind === "closed") await endDrifts(client, [step.driftId], "recovered", null, now);
    else await openDrifts(client, [driftOf(schema, step)], now);
  });
  return step.kind;
}

const driftOf = (schema: StoredSchema, { volume, expected, observed }: Extract<Step, { kind: "opened" }>) =>
  volumeDriftOf(schema, { id: volume.driftId, expected, observed, last: schema.tree.fields[ROOT]?.last ?? null });
