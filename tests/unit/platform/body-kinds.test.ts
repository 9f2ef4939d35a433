import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { fieldsOf, readPayload, readXml } from "#lib/platform/payload";

const read = (text: string | Buffer) => readXml(Buffer.from(text));

describe("XML", () => {
  it("is read without namespaces; text stays text, so that a number keeps its digits", () => {
    const value = { Envelope: { Body: { id: "00123", amount: "1.50", note: "A & B", item: [{ kind: "x", "#text": "1" }, "2"] } } };
    const xml =
      '<?xml version="1.0" encoding="UTF-8"?><s:Envelope xmlns:s="urn:s"><s:Body><id>00123</id><amount>1.50</amount><note>A &amp; B</note><item kind="x">1</item><item>2</item></s:Body></s:Envelope>';
    expect(read(xml)).toMatchObject({ ok: true, value });
  });

  it("has no entities of its own, whatever the document type says", () => {
    const lol = '<!DOCTYPE lolz [<!ENTITY lol "lol"><!ENTITY lol2 "&lol;&lol;&lol;">]><a>&lol2;</a>';
    expect(read(lol)).toMatchObject({ ok: false, detail: expect.stringContaining("DOCTYPE") });
    expect(read('<!doctype a SYSTEM "file:///etc/passwd"><a/>')).toMatchObject({ ok: false });
    expect(read("<a>&undefined;</a>")).toEqual({ ok: true, value: { a: "&undefined;" } });
  });

  it.each([
    ["nothing", ""],
    ["text", "hello"],
    ["a tag that is not closed", "<a><b></a>"],
    ["two roots' worth of depth", "<a>".repeat(500) + "</a>".repeat(500)],
    ["a megabyte of open tags", "<a>".repeat(300_000)],
    ["other than UTF-8", Buffer.from([0x3c, 0xff, 0x3e])],
  ])("is not read of %s, and nothing throws", (_, text) => {
    const started = performance.now();
    expect(read(text)).toMatchObject({ ok: false });
    expect(performance.now() - started).toBeLessThan(2000);
  });

  it("pollutes no prototype", () => {
    read("<a><__proto__><polluted>1</polluted></__proto__></a>");
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});

const BOUNDARY = "--b1";
const form = (...parts: [head: string, content: string][]) =>
  Buffer.from(
    `${parts.map(([head, content]) => `${BOUNDARY}\r\nContent-Disposition: form-data; ${head}\r\n\r\n${content}\r\n`).join("")}${BOUNDARY}--\r\n`,
  );

describe("a form", () => {
  it("holds the event in the field that the reading names, whatever its type says; files stand beside it", () => {
    const body = form(['name="json"', '{"event":{"event_type":"sent"}}'], ['name="file"; filename="a.pdf"', "%PDF"]);
    const sha256 = createHash("sha256").update("%PDF").digest("hex");
    expect(readPayload(body, { field: "json" })).toEqual({
      ok: true,
      value: { event: { event_type: "sent" }, files: [{ field: "file", filename: "a.pdf", bytes: 4, sha256 }] },
    });
    expect(readPayload(body)).toMatchObject({ ok: true, value: { json: '{"event":{"event_type":"sent"}}' } });
  });

  it("keeps a list of files of its own, and reads a field that is sent as a JSON part", () => {
    const own = form(['name="json"', '{"files":[]}'], ['name="file"; filename="a.pdf"', "%PDF"]);
    expect(readPayload(own, { field: "json" })).toEqual({ ok: true, value: { files: [] } });
    const typed = form(['name="json"\r\nContent-Type: application/json', '{"a":1}']);
    expect(readPayload(typed, { field: "json" })).toEqual({ ok: true, value: { a: 1 } });
    const pairs = Buffer.from(`rawRequest=${encodeURIComponent('{"q1":"a"}')}&submissionID=1`);
    expect(readPayload(pairs, { field: "rawRequest" })).toEqual({ ok: true, value: { q1: "a" } });
  });

  it("whose field is no JSON is malformed; without the field it is read as any other", () => {
    expect(readPayload(Buffer.from("json=no&b=c"), { field: "json" }).ok).toBe(false);
    expect(readPayload(Buffer.from("a=b"), { field: "json" })).toEqual({ ok: true, value: { a: "b" } });
  });
});

it("headers alone are enough where the reading says so", () => {
  expect(readPayload(Buffer.alloc(0), { body: "headers" })).toEqual({ ok: true, value: {} });
  expect(readPayload(Buffer.from('{"a":1}'), { body: "headers" })).toEqual({ ok: true, value: { a: 1 } });
  expect(readPayload(Buffer.from("plain text"), { body: "headers" })).toEqual({ ok: true, value: {} });
  expect(readPayload(Buffer.alloc(0)).ok).toBe(false);
});

describe("a field of the body", () => {
  it("is found through a text that is JSON, and is text or a whole number", () => {
    const at = fieldsOf(form(['name="json"', '{"event":{"event_time":1348177752,"event_type":"sent","more":{}}}']));
    expect(at("json.event.event_time")).toBe("1348177752");
    expect(at("json.event.event_type")).toBe("sent");
    for (const path of ["json.event.more", "json.event.none", "json.event.event_type.length", "none", "json.__proto__.a", ""])
      expect(at(path), path).toBeUndefined();
  });

  it("of what can't be read is missing", () => {
    for (const text of ["", "{", "[1", "plain"]) expect(fieldsOf(Buffer.from(text))("a")).toBeUndefined();
  });
});
