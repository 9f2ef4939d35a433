import { describe, expect, it } from "vitest";
import { workspaceId as toWorkspaceId } from "#lib/contracts/api/ids";
import { WorkspaceTurns } from "#lib/processing/workspace-turns";

const [A, B, C] = ["wsp_a", "wsp_b", "wsp_c"].map((id) => toWorkspaceId.parse(id)) as [never, never, never];
const many = (workspaceId: typeof A) => ({ workspaceId, waiting: 32 });
const few = (workspaceId: typeof A) => ({ workspaceId, waiting: 1 });

/** Returns whose turns come next. */
const next = (turns: WorkspaceTurns, count: number) => Array.from({ length: count }, () => turns.next("prompt")?.workspaceIds);

describe("turns of workspaces", () => {
  it("go round, however many events each has", () => {
    const turns = new WorkspaceTurns();
    turns.update([many(A), many(B), many(C)]);
    expect(next(turns, 6)).toEqual([[A], [B], [C], [A], [B], [C]]);
  });

  it("go on where they were when it is asked again who waits", () => {
    const turns = new WorkspaceTurns();
    turns.update([many(A), many(B)]);
    expect(next(turns, 1)).toEqual([[A]]);
    turns.update([many(A), many(B)]);
    expect(next(turns, 2)).toEqual([[B], [A]]);
  });

  it("are shared by workspaces that have few events, and never with one that has many", () => {
    const turns = new WorkspaceTurns();
    turns.update([few(A), many(B), few(C)]);
    expect(next(turns, 4)).toEqual([[A, C], [B], [A, C], [B]]);
  });

  it("begin small and grow while they are quick", () => {
    const turns = new WorkspaceTurns();
    turns.update([many(A)]);
    const limits = Array.from({ length: 7 }, () => {
      const turn = turns.next("prompt");
      if (turn) turns.took(turn, 20);
      return turn?.limit;
    });
    expect(limits).toEqual([32, 64, 128, 256, 512, 1000, 1000]);
  });

  it("grow, too, where each takes half a second whatever it holds: a machine that others use", () => {
    const turns = new WorkspaceTurns();
    turns.update([many(A)]);
    const limits = Array.from({ length: 7 }, () => {
      const turn = turns.next("prompt") ?? turns.next("slow");
      if (turn) turns.took(turn, 500 + turn.limit * 0.3);
      return turn?.limit;
    });
    expect(limits.at(-1)).toBe(1000);
  });

  it("of a workspace that takes long are apart from the others, until one is quick again", () => {
    const turns = new WorkspaceTurns();
    turns.update([many(A), many(B)]);
    const slow = turns.next("prompt");
    expect(slow?.workspaceIds).toEqual([A]);
    if (slow) turns.took(slow, 3000);
    expect(next(turns, 3)).toEqual([[B], [B], [B]]);
    const apart = turns.next("slow");
    expect(apart?.workspaceIds).toEqual([A]);
    if (apart) turns.took(apart, 40);
    expect(turns.next("slow")).toBeNull();
    expect(next(turns, 2).flat()).toContain(A);
  });

  it("of a slow workspace grow shorter when they take too long, down to one event", () => {
    const turns = new WorkspaceTurns();
    turns.update([many(A)]);
    const first = turns.next("prompt");
    if (first) turns.took(first, 20_000);
    const limits = Array.from({ length: 6 }, () => {
      const turn = turns.next("slow");
      if (turn) turns.took(turn, 20_000);
      return turn?.limit;
    });
    expect(limits).toEqual([16, 8, 4, 2, 1, 1]);
  });
});
