import { expect, it, test } from "vitest";
import { waitingFor } from "#components/shell/navigation/navigation";
import { ownTitle } from "#components/shell/palette/recent";
import { titleWith } from "#components/shell/tab-state";
import type { ViewSearchResult } from "#lib/contracts/views";
import { rankGroups, recordValue, SEARCH_EVENTS } from "../../../components/shell/palette/palette-items.tsx";

test("the tab's title carries what waits, once, and loses it when nothing does", () => {
  expect(titleWith(5, "Signalbox")).toBe("(5) Signalbox");
  expect(titleWith(2, "(5) Events · Signalbox")).toBe("(2) Events · Signalbox");
  expect(titleWith(0, "(1,000+) Events · Signalbox")).toBe("Events · Signalbox");
  expect(titleWith(1002, "Signalbox")).toBe("(1,000+) Signalbox");
});

test("the tab's count is the sum of the red counts in the navigation", () => {
  const counts = { pending: 1, openIssues: 20, quarantinedToday: 1, quarantined: 1, missingEvents: 1, needReconnect: 300, destinations: 1 };
  expect(waitingFor({ ...counts, suspendedDestinations: 4000 })).toBe(4320);
});

test("a page's own title is told from the product's name and the count", () => {
  expect(ownTitle("(3) invoice.pdf · document · Signalbox")).toBe("invoice.pdf · document");
  expect(ownTitle("(3) Signalbox")).toBe("");
  expect(ownTitle("Signalbox")).toBe("");
});

const record = (id: string, label: string) => ({ kind: "document", id, label, state: "processed" }) as ViewSearchResult;

/** Returns the values of the items that stay, the first one first. */
function sorted(typed: string, records: ViewSearchResult[], commands: string[]): string[] {
  const items = (values: string[]) => values.map((value) => ({ value }));
  const groups = [{ items: items(records.map(recordValue)) }, { items: items(commands) }, { items: items([SEARCH_EVENTS]) }];
  return rankGroups(groups, records, typed).flatMap((group) => group.items.map(({ value }) => value));
}

const COMMANDS = ["Sign out", "Invite member", "Documents", "Rotate signing secret"];

it("lists pages and actions before records that only begin alike", () => {
  const records = [record("doc_1", "Sign-out sheet.pdf"), record("doc_2", "Invoice.pdf")];
  expect(sorted("sign o", records, COMMANDS)[0]).toBe("Sign out");
  expect(sorted("inv", records, COMMANDS).slice(0, 2)).toEqual(["Invite member", "record document:doc_2"]);
});

it("puts an exact name first, an action's before a record's", () => {
  expect(sorted("doc_1", [record("doc_1", "a.pdf")], COMMANDS)[0]).toBe("record document:doc_1");
  expect(sorted("documents", [record("doc_1", "Documents")], COMMANDS)[0]).toBe("Documents");
});

it("offers the search for events last, and nothing that matches letter by letter", () => {
  expect(sorted("rtscrt", [], COMMANDS).filter((value) => value !== SEARCH_EVENTS)).toEqual([]);
  expect(sorted("documents", [record("doc_1", "My documents")], COMMANDS).at(-1)).toBe(SEARCH_EVENTS);
});
