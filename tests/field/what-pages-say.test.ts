import { createElement, type ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { selectionWords } from "#components/destinations/destination-labels";
import { ResourceId, ResourceName } from "#components/records/resource-id";
import { ValueText } from "#components/records/value-text";
import { guessValue, rankGroups, recordValue } from "#components/shell/palette/palette-items";
import { CodeBlock } from "#components/ui/code-block";
import { JsonView } from "#components/ui/json-view";
import { lineOf } from "#components/views/view-labels";
import { asSentence } from "#lib/contracts/as-sentence";
import type { SuspensionReason } from "#lib/contracts/forwarding/destinations";
import type { ViewSearchResult } from "#lib/contracts/views";
import { forwardingFailure } from "#lib/flows/issues/issues";
import { fixOf, fixOfTest, forwardErrorOf } from "#lib/forwarding/attempt/outcomes";
import { openCheckedSocket } from "#lib/forwarding/checked-socket";
import { sentences } from "../../packages/cli/src/events.ts";
import { whatOf } from "../../packages/cli/src/lists.ts";

// What an outsider read on the pages that was not so, or said twice.

const shown = (node: ReactNode) => renderToStaticMarkup(node);
const text = (node: ReactNode) => shown(node).replaceAll(/<[^>]+>/g, "");

// trojansource.codes
describe("a character that turns the direction, or has no width, is shown as an escape", () => {
  const id = "evt_l_\u202eabc";
  const places: [string, ReactNode][] = [
    ["an ID", createElement(ResourceId, { id })],
    ["a whole ID", createElement(ResourceId, { id, whole: true })],
    ["a name", createElement(ResourceName, { resource: { id: "doc_1", name: id } })],
    ["a payload's tree", createElement(JsonView, { value: { [id]: id }, label: "payload" })],
    ["a value", createElement(ValueText, { value: id })],
    ["a raw body", createElement(CodeBlock, { code: `{"id":"${id}"}`, label: "raw body" })],
    ["a field", lineOf(id)],
  ];

  it.each(places)("in %s", (_, node) => {
    expect(shown(node)).not.toContain("\u202e");
    expect(text(node)).toContain("evt_l_\\u202eabc");
  });

  it.each(["0007", "0085", "061c", "200b", "200e", "200f", "202a", "2066", "2069", "feff"])("U+%s", (code) =>
    expect(lineOf(`a${String.fromCharCode(Number.parseInt(code, 16))}b`)).toBe(`a\\u${code}b`),
  );

  it.each(["חשבונית 7.pdf", "می‌خواهم", "👩‍💻", "a\tb\nc"])("but %j stays", (name) => expect(lineOf(name)).toBe(name));

  it("and an escape that was received as one is told from it", () => {
    expect(shown(createElement(CodeBlock, { code: "\\u202e", label: "raw body" }))).not.toContain("<mark");
    expect(shown(createElement(CodeBlock, { code: "\u202e", label: "raw body" }))).toContain("<mark");
  });

  it("and values written from right to left keep their places in a raw body", () => {
    const code = '{"a":"שלום לך","שם":"ערך"}';
    const html = shown(createElement(CodeBlock, { code, label: "raw body" }));
    expect(html.match(/<bdi>[^<]*/g)).toEqual(["<bdi>שלום לך", "<bdi>שם", "<bdi>ערך"]);
    expect(text(createElement(CodeBlock, { code, label: "raw body" })).replaceAll("&quot;", '"')).toContain(code);
  });
});

const found = (id: string, label: string) => ({ kind: "document", id, label, state: "processed" }) as ViewSearchResult;

describe("the palette lists what is there before what a typed ID looks like", () => {
  it.each([
    [
      "doc_u",
      [found("doc_u1", "a.pdf"), found("doc_u2", "b.pdf")],
      ["record document:doc_u1", "record document:doc_u2", guessValue("doc_u")],
    ],
    ["doc_u", [found("doc_7", "Scan of doc_u.pdf")], ["record document:doc_7", guessValue("doc_u")]],
    ["doc_u", [], [guessValue("doc_u")]],
    ["evt_7", [found("doc_1", "similar.pdf")], [guessValue("evt_7"), "record document:doc_1"]],
  ])("%s", (typed, records, listed) => {
    const groups = [{ items: [{ value: guessValue(typed) }] }, { items: records.map((record) => ({ value: recordValue(record) })) }];
    expect(rankGroups(groups, records, typed).flatMap(({ items }) => items.map(({ value }) => value))).toEqual(listed);
  });
});

describe("the issue of a destination tells the fix of its last failure", () => {
  const unknown = { code: "unknown_host", text: "The host name example.test was not found" };
  const gone = { code: "gone", text: "Answered 410" };
  const standing = (reason: SuspensionReason | null, failed: typeof gone | null) => ({ name: "Billing", reason, failed });
  const suspended = "destination_suspended";
  it.each([
    [
      suspended,
      standing("failing", unknown),
      "Check the spelling of the host name and its DNS record. Signalbox tries again automatically.",
    ],
    [suspended, standing("gone", gone), "Make the URL accept events again, or change it. Then resume the destination."],
    [suspended, standing(null, null), /^Fix the application\. .*except after a 410/],
    [suspended, undefined, /^Fix the application\. .*except after a 410/],
    [
      "deliveries_exhausted",
      standing(null, unknown),
      /^Check the spelling of the host name and its DNS record\. Then send the exhausted deliveries again/,
    ],
    ["deliveries_exhausted", standing(null, gone), /^Fix the application or the filter\. Then send/],
  ])("%s %j", (code, known, fix) => {
    const told = forwardingFailure(code, `too many attempts failed. The last one: ${unknown.text}`, known);
    if (typeof fix === "string") expect(told.fix).toBe(fix);
    else expect(told.fix).toMatch(fix);
    expect(told.fix.includes("410") && known?.reason != null).toBe(false);
  });
});

it("a test that was answered 410 claims no suspension, which only a delivery causes", () => {
  expect(fixOfTest("gone")).not.toMatch(/stopped|resume/i);
  expect(fixOfTest("unknown_host")).toBe(fixOf("unknown_host"));
});

describe("what is wrong with a target and what to do about it are said once each", () => {
  const attemptAt = async (url: string, addresses: string[]) => {
    const error = await openCheckedSocket(url, async () => addresses).catch((failed: unknown) => failed);
    const { outcome, message } = forwardErrorOf(error);
    return `${asSentence(message)} ${fixOf(outcome)}`;
  };
  it.each([
    ["https://example.test/", [], "The host name example.test was not found. Check the spelling of the host name and its DNS record."],
    ["https://example.test/", ["10.0.0.1"], /is not a public address\. Change the URL\. [^.]*FORWARD_ALLOW[^.]*\.$/],
  ])("%s at %j", async (url, addresses, said) => {
    if (typeof said === "string") expect(await attemptAt(url, addresses)).toBe(said);
    else expect(await attemptAt(url, addresses)).toMatch(said);
  });
});

it.each([
  [[], "All types · filtered by payload"],
  [["*"], "All types · filtered by payload"],
  [["document.*", "task.created"], "document.*, task.created · filtered by payload"],
])("a destination's types %j are %s", (types, words) => expect(selectionWords({ types, sources: [], filter: {} })).toBe(words));

describe("the command line", () => {
  it("ends each sentence of a failure", () => {
    const failure = {
      code: "missing_id",
      what: "document.processed has no document ID",
      why: "The event has no ID.",
      fix: "Map the field.",
    };
    expect(sentences(failure)).toBe("document.processed has no document ID. The event has no ID. Map the field.");
  });

  it.each([
    ["Gone", "destination", "dst_1", "Gone is suspended: it answered 410 Gone", "Gone is suspended: it answered 410 Gone (dst_1)"],
    ["Document processed", "document.processed", "", "document.processed has no ID", "document.processed has no ID"],
    ["Automation error", "automation.error", "automation:a1", "The step failed", "Automation error: The step failed (automation:a1)"],
  ])("names what failed once: %s", (title, type, place, what, line) =>
    expect(whatOf({ title, type, place, failure: { code: "", what, why: "", fix: "" } })).toBe(line),
  );
});
