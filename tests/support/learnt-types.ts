import { forget, once } from "#lib/context/once";
import type { SourceId, WorkspaceId } from "#lib/contracts/api/ids";
import type { EventTypeDetail } from "#lib/contracts/event-types";
import { Learner } from "#lib/event-types/learner";
import { EventLearner, learner } from "#lib/flows/event-types/learn-event-types";
import { readEventType, readEventTypes } from "#lib/flows/event-types/read-event-types";
import { workInbox, workInboxApart } from "#lib/flows/processing/process-events";
import { append, passHorizon } from "./log-writer.ts";
import { countWaiting } from "./waiting.ts";

const BEGIN = Date.UTC(2026, 10, 1);

/** A source's events of one type, a minute apart and of a record each. */
export class TypeOfSource {
  private n = 0;
  receivedFrom = BEGIN;
  readonly workspaceId: WorkspaceId;
  readonly sourceId: SourceId;
  readonly type: string;

  constructor({ workspaceId, sourceId }: { workspaceId: WorkspaceId; sourceId: SourceId }, type = "document.processed") {
    this.workspaceId = workspaceId;
    this.sourceId = sourceId;
    this.type = type;
  }

  /** Stores events, whose data may need their number. */
  async receive(count: number, data: (n: number) => Record<string, unknown>): Promise<string[]> {
    const ids: string[] = [];
    for (let at = 0; at < count; at += 1) {
      this.n += 1;
      const eventId = `${this.sourceId}-${this.type}-${this.n}`;
      const event = { eventId, type: this.type, created: 1_790_000_000, data: { documentId: `doc_${this.n}`, ...data(this.n) } };
      await append(this.workspaceId, this.sourceId, [event], new Date(this.receivedFrom + this.n * 60_000));
      ids.push(eventId);
    }
    return ids;
  }

  async learn(count: number, data: (n: number) => Record<string, unknown>): Promise<string[]> {
    const ids = await this.receive(count, data);
    await applyAndLearn();
    return ids;
  }

  async read(): Promise<EventTypeDetail> {
    const [item] = (await readEventTypes(this.workspaceId)).filter(({ type, id }) => type === this.type && id !== null);
    const detail = item?.id ? await readEventType(this.workspaceId, item.id) : null;
    if (!detail) throw new Error(`${this.type} was not learnt`);
    return detail;
  }
}

/** A test may keep events from being applied on purpose. */
const PATIENCE_MS = 5000;

/** Applies what waits as a worker does that learns. */
export async function applyAll(): Promise<void> {
  const end = Date.now() + PATIENCE_MS;
  do {
    await passHorizon();
    // On a busy machine a workspace may count as slow.
    while ((await workInbox()) || (await workInboxApart()));
  } while ((await countWaiting()) > 0 && Date.now() < end);
}

export async function applyAndLearn(): Promise<void> {
  await applyAll();
  await handOn();
}

/** As a worker that starts: it knows nothing. */
export const newWorker = (): void => void forget("event-learner");

export const handOn = (): Promise<number> => learner().handOn(new Date(), 10);

/** A worker that reads all events, also of a type with many. */
export function withoutSampling(): void {
  newWorker();
  once("event-learner", () => new EventLearner(new Learner({ sampling: false })));
}
