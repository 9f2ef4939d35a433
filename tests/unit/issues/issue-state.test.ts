import { describe, expect, it } from "vitest";
import { type IssueState, issueAction, issueCause, issueState } from "#lib/contracts/issues";
import { actionsIn, type IssueOccurrence, issueIdOf, nextIssueState, stepsOf, wordsWithoutParticulars } from "#lib/issues/issue";

const OCCURRENCES: IssueOccurrence[] = [...issueAction.options, ...issueCause.options];

/** The whole table, written out a second time: `-` where nothing changes. */
const TABLE: Record<IssueState, Record<IssueOccurrence, IssueState | "-">> = {
  open: {
    acknowledge: "acknowledged",
    resolve: "resolved",
    ignore: "ignored",
    reopen: "-",
    recurred: "-",
    settled: "resolved",
    expired: "resolved",
  },
  acknowledged: {
    acknowledge: "-",
    resolve: "resolved",
    ignore: "ignored",
    reopen: "open",
    recurred: "-",
    settled: "resolved",
    expired: "resolved",
  },
  resolved: { acknowledge: "-", resolve: "-", ignore: "ignored", reopen: "open", recurred: "open", settled: "-", expired: "-" },
  ignored: { acknowledge: "acknowledged", resolve: "resolved", ignore: "-", reopen: "open", recurred: "-", settled: "-", expired: "-" },
};

describe("the states of an issue", () => {
  for (const state of issueState.options)
    for (const occurrence of OCCURRENCES)
      it(`${state}, ${occurrence}: ${TABLE[state][occurrence] === "-" ? "stays" : `becomes ${TABLE[state][occurrence]}`}`, () => {
        expect(nextIssueState(state, occurrence) ?? "-").toBe(TABLE[state][occurrence]);
      });

  it("lead to one state each, so that a guarded update can take the step for many issues at once", () => {
    for (const occurrence of OCCURRENCES) {
      const { from, to } = stepsOf(occurrence);
      for (const state of from) expect(nextIssueState(state, occurrence)).toBe(to);
    }
  });

  it("offer what a person may do, and nothing that changes nothing", () => {
    expect(actionsIn("open")).toEqual(["acknowledge", "resolve", "ignore"]);
    expect(actionsIn("resolved")).toEqual(["ignore", "reopen"]);
  });
});

describe("a fingerprint", () => {
  const print = { origin: "processing", code: "missing_id", type: "document.processed", place: "names no document" } as const;

  it("is the same for the same failure and another for another code, type, place or workspace", () => {
    const ids = [
      issueIdOf("wsp_1", print),
      issueIdOf("wsp_2", print),
      issueIdOf("wsp_1", { ...print, code: "not_readable" }),
      issueIdOf("wsp_1", { ...print, type: "document.uploaded" }),
      issueIdOf("wsp_1", { ...print, place: "names no task" }),
      issueIdOf("wsp_1", { ...print, origin: "platform" }),
    ];
    expect(new Set(ids).size).toBe(ids.length);
    expect(issueIdOf("wsp_1", { ...print })).toBe(ids[0]);
  });

  it("leaves out of an error's words what differs from event to event", () => {
    const words = (id: string, row: number) => wordsWithoutParticulars(`value "${id}" of doc_${row}a is too long, at row ${row}`);
    expect(words("abc", 7)).toBe(words("xyz", 12345));
    expect(wordsWithoutParticulars("a mailbox is full")).not.toBe(wordsWithoutParticulars("a disk is full"));
  });
});
