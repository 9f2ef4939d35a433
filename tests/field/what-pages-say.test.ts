import { createElement, type ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { ResourceId, ResourceName } from "#components/records/resource-id";
import { ValueText } from "#components/records/value-text";
import { CodeBlock } from "#components/ui/code-block";
import { JsonView } from "#components/ui/json-view";
import { lineOf } from "#components/views/view-labels";

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
});
