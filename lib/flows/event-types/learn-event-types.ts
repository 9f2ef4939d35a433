import { setTimeout as sleep } from "node:timers/promises";
import { once } from "#lib/context/once";
import { newId } from "#lib/contracts/api/ids";
import { storableText } from "#lib/contracts/api/plain-text";
import type { ResourceRef } from "#lib/contracts/events/events";
import { inTransaction, pool } from "#lib/db/pool";
import { insertChanges, type NewChange } from "#lib/event-types/history-store";
import { type Learnt, learn } from "#lib/event-types/learn";
import { type HandedOn, Learner } from "#lib/event-types/learner";
import type { Delta, Lesson } from "#lib/event-types/live-schema";
import { emptyTree, mergeTrees } from "#lib/event-types/merge";
import {
  findSchemas,
  insertSchemas,
  type LearntSchema,
  listRecentIds,
  listTold,
  lockSchemas,
  type StoredSchema,
  saveLearnt,
} from "#lib/event-types/schema-store";
import { logger } from "#lib/observability/logger";
import { countWork } from "#lib/observability/metrics";
import { valueAt } from "#lib/platform/field-names";
import type { SourceReading } from "#lib/platform/read-event";
import type { Claimed } from "#lib/processing/inbox-store";
import { systemClock } from "#lib/time/clock";
import { mapInPieces } from "#lib/time/waits";
import { recordDrift } from "./record-drift.ts";

/** The worker's listener beside the search index: what it learns is kept in memory and handed on apart from the batches. */
export const learner = (): EventLearner => once("event-learner", () => new EventLearner());

/** Signed, or with a token. What anyone in a network may send, and what was released by a person, teaches nothing. */
const TEACHES: ReadonlySet<string> = new Set(["raw", "reserialized", "signed", "signed_late", "token"]);
/** A sender's list API shapes bodies in other ways: what was fetched is a variant of its own. */
const FETCHED = "fetched";
const MAX_VARIANT = 100;
/** Events of a batch that was rolled back are applied again, and must not teach twice. */
const MAX_TAUGHT = 20_000;

export class EventLearner {
  private readonly learner: Learner;
  private taught = new Set<number>();
  /** What could not be stored while the database was unavailable. */
  private unsent: HandedOn[] = [];
  private hasComplained = false;

  constructor(learner = new Learner()) {
    this.learner = learner;
  }

  /** Never throws: a fault here must not end a batch. */
  teach(claimed: Claimed, data: Record<string, unknown>, refs: readonly ResourceRef[], reading: SourceReading): void {
    try {
      const { signatureForm = "", redeliveryId, seq, workspaceId, sourceId, type } = claimed;
      if (redeliveryId !== null) return;
      const variant = variantOfEvent(signatureForm, data, reading);
      if (variant === null || (this.taught.size > 0 && this.taught.delete(seq))) return;
      this.learner.teach({ workspaceId, sourceId, type, variant, lesson: lessonOf(claimed, data, refs) });
    } catch (error) {
      this.complain(error);
    }
  }

  /** Notes events that taught and come again, because their batch was rolled back. */
  rolledBack(events: readonly Claimed[]): void {
    if (this.taught.size + events.length > MAX_TAUGHT) this.taught = new Set();
    for (const { seq } of events) this.taught.add(seq);
  }

  private complain(error: unknown): void {
    countWork({ schema_faults: 1 });
    if (this.hasComplained) return;
    this.hasComplained = true;
    const { message: reason } = error as Error;
    logger().warn({ reason }, "can't learn from an event; events are applied all the same, and further faults are only counted");
  }

  /** Reads the schemas that changed last, so that a worker knows them before it meets their events. */
  async loadRecent(): Promise<void> {
    await this.load(await listRecentIds(RECENT));
  }

  /** Reads what is stored of types that this worker has met. */
  async loadUnknown(): Promise<void> {
    await this.load(this.learner.unknown);
  }

  /** Reads again what people or operations have changed. */
  async loadTold(): Promise<void> {
    await this.load((await listTold(LOOK_BACK_SECONDS)).filter((id) => this.learner.has(id)));
  }

  private async load(ids: string[]): Promise<void> {
    for (let at = 0; at < ids.length; at += PIECE) {
      const piece = ids.slice(at, at + PIECE);
      this.learner.adopt(await findSchemas(piece), piece);
    }
  }

  /** Stores what was learnt since: a few schemas a transaction, in the order of their IDs. Returns how many. @param seconds since the last time */
  async handOn(now: Date, seconds: number): Promise<number> {
    await this.loadUnknown();
    const all = [...this.unsent, ...this.learner.take(seconds)];
    const ids = [...new Set(all.map(({ id }) => id))].sort();
    this.unsent = [];
    let done = 0;
    try {
      for (; done < ids.length; done += PIECE) {
        const piece = ids.slice(done, done + PIECE);
        const ofPiece = all.filter(({ id }) => piece.includes(id));
        this.learner.adopt(await storeLearnt(ofPiece, now), piece);
      }
    } catch (error) {
      const left = new Set(ids.slice(done));
      this.unsent = all.filter(({ id }) => left.has(id)).slice(-MAX_UNSENT);
      throw error;
    }
    return ids.length;
  }
}

/** Schemas that a worker knows when it starts. */
const RECENT = 200;
/** People's changes reach each worker in some two seconds; the look back is longer, because a commit may be late. */
const LOOK_BACK_SECONDS = 10;
const PIECE = 20;
/** Beyond so many, what is older is given up: counts, and no finding that the next event does not make again. */
const MAX_UNSENT = 2000;

type LoggedEvent = { eventId: string; receivedAt: Date; seq: number; body: Buffer };

export const lessonOf = (
  { eventId, receivedAt, seq, body }: LoggedEvent,
  data: Record<string, unknown>,
  refs: readonly ResourceRef[],
): Lesson => ({
  ref: [eventId, receivedAt.getTime(), seq],
  bytes: body.length,
  record: refs[0] ?? null,
  data,
});

/** Returns what tells an event apart from others of its type, '' for most; null for one that teaches nothing. */
export function variantOfEvent(signatureForm: string, data: Record<string, unknown>, { variant }: SourceReading): string | null {
  if (signatureForm === FETCHED) return FETCHED;
  if (!TEACHES.has(signatureForm)) return null;
  const value = variant === undefined ? undefined : valueAt(data, variant);
  return typeof value === "string" ? storableText(value.slice(0, MAX_VARIANT)) : "";
}

const LOOK_MS = 1000;
const HAND_ON_MS = 10_000;

/** The worker's loop: reads what is stored of types that it meets, and hands on what it learnt every ten seconds, and when it stops. */
export async function runLearning(signal: AbortSignal, round: () => void = () => undefined): Promise<void> {
  await attempt(() => learner().loadRecent());
  let since = systemClock.elapsed();
  while (!signal.aborted) {
    round();
    await sleep(LOOK_MS, undefined, { signal }).catch(() => undefined);
    await attempt(() => learner().loadUnknown());
    await attempt(() => learner().loadTold());
    const passed = systemClock.elapsed() - since;
    if (passed < HAND_ON_MS && !signal.aborted) continue;
    since = systemClock.elapsed();
    await attempt(() => learner().handOn(new Date(systemClock.now()), passed / 1000));
  }
}

async function attempt(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    logger().warn({ reason: (error as Error).message }, "can't read or store what was learnt of event types; trying again");
  }
}

async function storeLearnt(handedOn: HandedOn[], now: Date): Promise<StoredSchema[]> {
  return inTransaction(pool("worker"), async (client) => {
    const fresh = [...new Map(handedOn.filter(({ generation }) => generation === 0).map((each) => [each.id, each])).values()];
    if (fresh.length > 0) await insertSchemas(client, fresh);
    const stored = await lockSchemas(client, [...new Set(handedOn.map(({ id }) => id))]);
    const learnt: { schema: StoredSchema; learnt: Learnt; saved: LearntSchema }[] = [];
    await mapInPieces(stored, (schema) => {
      if (schema.state === "not_learnt") return;
      const own = handedOn.filter(({ id }) => id === schema.id);
      const one = learnAll(schema, own, now);
      if (one) learnt.push({ schema, ...one });
    });
    const saved = learnt.map(({ saved }) => saved);
    await saveLearnt(client, saved);
    const changes = learnt.flatMap(({ schema, learnt: { news } }) => news.map((each) => changeOf(schema, each)));
    await insertChanges(client, changes);
    await recordDrift(client, learnt, now);
    const known = new Map(learnt.map(({ schema, saved }) => [schema.id, { ...schema, ...saved }]));
    return stored.map((schema) => known.get(schema.id) ?? schema);
  });
}

/** Adds up what belongs to the schema as it is; what was counted for one that has been relearnt since is in that. */
function learnAll(schema: StoredSchema, handedOn: HandedOn[], now: Date): { learnt: Learnt; saved: LearntSchema } | null {
  const options = {
    ignored: schema.settings.filter(({ ignored }) => ignored).map(({ path }) => path),
    pinned: new Set(Object.keys(schema.pin?.fields ?? {})),
    newId: () => newId("dft"),
  };
  const all: Learnt = { tree: schema.tree, watch: schema.watch, news: [], found: [], recovered: [] };
  let { nextTree } = schema;
  let hasAny = false;
  for (const { generation, delta } of handedOn) {
    if (generation !== 0 && generation < schema.generation) continue;
    hasAny = true;
    const one = learn({ tree: withMaps(all.tree, schema), watch: all.watch }, delta, options);
    all.tree = one.tree;
    all.watch = one.watch;
    all.news.push(...one.news);
    all.found.push(...one.found);
    all.recovered.push(...one.recovered);
    if (nextTree !== null && generation > schema.generation) nextTree = mergeTrees({ ...emptyTree(), ...nextTree }, delta.tree);
  }
  if (!hasAny) return null;
  const changedAt = all.news.length > 0 || schema.tree.events === 0 ? now : null;
  return { learnt: all, saved: { id: schema.id, tree: all.tree, watch: all.watch, nextTree, changedAt } };
}

/** Levels that people call maps. */
export const withMaps = (tree: Delta["tree"], { settings }: Pick<StoredSchema, "settings">): Delta["tree"] => {
  const more = settings.filter(({ path, map }) => map && !tree.maps.includes(path)).map(({ path }) => path);
  return more.length === 0 ? tree : { ...tree, maps: [...tree.maps, ...more].sort() };
};

function changeOf({ id: schemaId, workspaceId }: StoredSchema, { kind, path, detail, event }: Learnt["news"][number]): NewChange {
  const [eventId = null, at] = event ?? [];
  return { workspaceId, schemaId, kind, path, detail, eventId, eventAt: at === undefined ? null : new Date(at), by: null };
}
