import type { SourceId, WorkspaceId } from "#lib/contracts/api/ids";
import type { Watch } from "./learn.ts";
import { type Delta, type KnownSchema, type Lesson, LiveSchema } from "./live-schema.ts";
import { MAX_VARIANTS, ROOT, type SchemaTree } from "./schema.ts";
import { type SchemaKey, type StoredSchema, schemaIdOf } from "./schema-store.ts";

/** What a worker hands on of one schema. */
export type HandedOn = SchemaKey & { id: string; generation: number; delta: Delta };

/** All of so many events of a schema are read; later, a part. */
const READ_ALL = 2000;
/** Events a second of one schema that are read then. The others are looked at for their shape. */
const READ_A_SECOND = 50;
/** And of all schemas together: many types are as dear as one. */
const READ_IN_ALL = 250;
const READ_IN_BURST = 500;
/** In memory, over all schemas: some 100 bytes each. */
const MAX_LIVE_FIELDS = 100_000;
/** Sources, types and variants that are named beside each other in memory. */
const MAX_LIVE = 5000;

type Live = SchemaKey & {
  id: string;
  schema: LiveSchema;
  generation: number;
  /** While it is relearnt: what is received from then on, in milliseconds, is counted apart. */
  nextFrom: number;
  next: LiveSchema | null;
  state: "new" | "loaded" | "not_learnt";
  /** One of so many events is read. */
  every: number;
  /** Events since the pace was last measured. */
  since: number;
  usedAt: number;
};

type Options = {
  /** False to read all events, for a test of exactness. */
  sampling?: boolean;
};

export type Taught = {
  workspaceId: WorkspaceId;
  sourceId: string;
  type: string;
  variant: string;
  lesson: Lesson;
};

/** What one worker learns of event types: in memory, handed on every ten seconds. Synchronous, and never waits for the database. */
export class Learner {
  private readonly types = new Map<string, Map<string, Live>>();
  private readonly byId = new Map<string, Live>();
  private readonly sampling: boolean;
  private round = 0;

  constructor({ sampling = true }: Options = {}) {
    this.sampling = sampling;
  }

  teach({ workspaceId, sourceId, type, variant, lesson }: Taught): void {
    const live = this.find(workspaceId, sourceId, type, variant);
    if (!live || live.state === "not_learnt") return;
    live.usedAt = this.round;
    live.since += 1;
    const schema = live.next && lesson.ref[1] >= live.nextFrom ? live.next : live.schema;
    const isRead = !this.sampling || live.schema.total < READ_ALL || live.since % everyOf(live) === 0;
    if (isRead || !schema.look(lesson)) schema.teach(lesson);
  }

  private find(workspaceId: WorkspaceId, sourceId: string, type: string, variant: string): Live | undefined {
    let ofSource = this.types.get(sourceId);
    if (!ofSource) {
      ofSource = new Map();
      this.types.set(sourceId, ofSource);
    }
    const name = variant === "" ? type : `${type}\n${variant}`;
    return ofSource.get(name) ?? this.add(ofSource, { workspaceId, sourceId: sourceId as SourceId, type, variant });
  }

  private add(ofSource: Map<string, Live>, wanted: SchemaKey): Live | undefined {
    if (this.byId.size >= MAX_LIVE) return undefined;
    const { type } = wanted;
    const others = wanted.variant === "" ? 0 : [...ofSource.values()].filter((each) => each.type === type && each.variant !== "").length;
    // A sender that puts an ID where its variant stands makes one of all that follow.
    const key = others >= MAX_VARIANTS ? { ...wanted, variant: OTHER } : wanted;
    const known = this.byId.get(schemaIdOf(key));
    const live = known ?? this.create(key);
    ofSource.set(key.variant === "" ? type : `${type}\n${key.variant}`, live);
    return live;
  }

  private create(key: SchemaKey): Live {
    const id = schemaIdOf(key);
    const times = { every: 1, since: 0, usedAt: this.round };
    const live: Live = {
      ...key,
      id,
      schema: new LiveSchema(id),
      generation: 0,
      nextFrom: Number.POSITIVE_INFINITY,
      next: null,
      state: "new",
      ...times,
    };
    this.byId.set(id, live);
    return live;
  }

  /** Schemas of which it is not known yet what is stored. */
  get unknown(): string[] {
    return [...this.byId.values()].filter(({ state }) => state === "new").map(({ id }) => id);
  }

  has(id: string): boolean {
    return this.byId.has(id);
  }

  /** Takes over what is stored, before or after a part of it was counted here. @param ids all that were asked for */
  adopt(stored: StoredSchema[], ids: string[]): void {
    const found = new Set<string>();
    for (const schema of stored) {
      found.add(schema.id);
      this.adoptOne(schema);
    }
    // What has no row yet is made with the first that is handed on.
    for (const id of ids) {
      const live = this.byId.get(id);
      if (live?.state === "new" && !found.has(id)) live.state = "loaded";
    }
  }

  private adoptOne(stored: StoredSchema): void {
    const live = this.byId.get(stored.id) ?? this.make(stored);
    live.state = stored.state === "not_learnt" ? "not_learnt" : "loaded";
    if (live.generation !== stored.generation && live.generation !== 0) {
      // It was relearnt from the log, with all that is counted here of before.
      live.schema = live.next ?? new LiveSchema(live.id);
      live.next = null;
    }
    live.generation = stored.generation;
    live.schema.adopt(knownOf(stored, stored.tree));
    // What was counted apart for a relearning that was stopped is handed on with the next.
    live.nextFrom = stored.nextTree === null ? Number.POSITIVE_INFINITY : (stored.nextFrom?.getTime() ?? Number.POSITIVE_INFINITY);
    if (stored.nextTree === null) return;
    live.next ??= new LiveSchema(live.id);
    live.next.adopt(knownOf(stored, stored.tree));
  }

  private make({ workspaceId, sourceId, type, variant }: StoredSchema): Live {
    const ofSource = this.types.get(sourceId) ?? new Map<string, Live>();
    this.types.set(sourceId, ofSource);
    const live = this.create({ workspaceId, sourceId, type, variant });
    ofSource.set(variant === "" ? type : `${type}\n${variant}`, live);
    return live;
  }

  /** Returns what was counted since, and measures the pace. @param seconds since the last time */
  take(seconds: number): HandedOn[] {
    this.round += 1;
    const handedOn: HandedOn[] = [];
    const paces = [...this.byId.values()].map(({ since }) => Math.min(since / Math.max(seconds, 1), READ_A_SECOND));
    const share = Math.min(1, READ_IN_ALL / paces.reduce((sum, pace) => sum + pace, 0));
    for (const live of this.byId.values()) {
      const { id, workspaceId, sourceId, type, variant, generation } = live;
      live.every = Math.ceil(Math.max(1, live.since / Math.max(seconds, 1) / READ_A_SECOND) / share);
      live.since = 0;
      const key = { id, workspaceId, sourceId, type, variant };
      if (!live.schema.isEmpty) handedOn.push({ ...key, generation, delta: live.schema.take() });
      if (live.next && !live.next.isEmpty) handedOn.push({ ...key, generation: generation + 1, delta: live.next.take() });
      if (live.nextFrom === Number.POSITIVE_INFINITY) live.next = null;
    }
    this.forgetUnused();
    return handedOn;
  }

  /** Forgets the schemas that were not used for longest, where all together are too large. */
  private forgetUnused(): void {
    let fields = 0;
    for (const { schema } of this.byId.values()) fields += schema.size;
    if (fields <= MAX_LIVE_FIELDS && this.byId.size < MAX_LIVE) return;
    for (const live of [...this.byId.values()].sort((a, b) => a.usedAt - b.usedAt)) {
      if (fields <= MAX_LIVE_FIELDS / 2 || live.usedAt >= this.round - 1) return;
      fields -= live.schema.size;
      this.byId.delete(live.id);
      this.types.get(live.sourceId)?.delete(live.variant === "" ? live.type : `${live.type}\n${live.variant}`);
    }
  }
}

/** A burst after a rest is thinned out as it comes. */
const everyOf = ({ every, since }: Live): number => Math.max(every, Math.ceil(since / READ_IN_BURST));

/** Variant of what is more than 20 others. */
const OTHER = "other";

/** What a worker has to know of a stored schema. */
export function knownOf({ watch, pin, settings }: Pick<StoredSchema, "watch" | "pin" | "settings">, tree: SchemaTree): KnownSchema {
  return {
    tree,
    usual: watch.usual,
    unaccepted: unacceptedIn(watch),
    oversized: watch.deviations[ROOT]?.size?.n ?? 0,
    pin: pin?.fields ?? null,
    notEnumeration: settings.filter(({ notEnumeration }) => notEnumeration).map(({ path }) => path),
    ignored: settings.filter(({ ignored }) => ignored).map(({ path }) => path),
  };
}

const unacceptedIn = ({ deviations }: Watch): Record<string, string[]> =>
  Object.fromEntries(Object.entries(deviations).flatMap(([path, { value }]) => (value?.hashes ? [[path, value.hashes]] : [])));
