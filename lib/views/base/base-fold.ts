import type { WorkspaceId } from "#lib/contracts/api/ids";
import { FoldBuffer } from "#lib/views/fold/fold-buffer";
import type { Touch } from "#lib/views/fold/plan";
import type { Base } from "./base.ts";

/** Gathers the effects on records of events that leave the log. */
export class BaseFold {
  private readonly workspaces = new Map<WorkspaceId, { buffer: FoldBuffer; times: Map<string, { first: number; last: number }> }>();

  add(workspaceId: WorkspaceId, touches: Touch[], bytes: number): void {
    const own = this.workspaces.get(workspaceId) ?? { buffer: new FoldBuffer(), times: new Map() };
    this.workspaces.set(workspaceId, own);
    const written = touches.filter(({ writes }) => writes.length > 0);
    own.buffer.add(written, bytes);
    for (const { kind, id, writes } of written) {
      const key = `${kind} ${id}`;
      const at = writes[0]?.register.at ?? 0;
      const { first, last } = own.times.get(key) ?? { first: at, last: at };
      own.times.set(key, { first: Math.min(first, at), last: Math.max(last, at) });
    }
  }

  drain(): [WorkspaceId, Base[]][] {
    return [...this.workspaces].map(([workspaceId, { buffer, times }]) => [
      workspaceId,
      buffer.drain().map((view) => {
        const { first, last } = times.get(`${view.kind} ${view.id}`) ?? { first: 0, last: 0 };
        return { ...view, firstAt: first, knownFrom: last };
      }),
    ]);
  }
}
