import { isUtf8 } from "node:buffer";
import { XMLParser } from "fast-xml-parser";

/** Text stays text, as a number's digits; namespaces are left out of names; attributes stand beside elements. */
const PARSER = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: "",
  removeNSPrefix: true,
  parseTagValue: false,
  parseAttributeValue: false,
  ignoreDeclaration: true,
  ignorePiTags: true,
});

const BEGINS = /^\ufeff?\s*</;
/** A document type could define entities: text that grows, or a file of this machine. No event needs one. */
const DOCTYPE = /<!DOCTYPE/i;

/** Elements within each other: no sender's XML is deeper. */
const MAX_DEPTH = 100;

type Read = { ok: true; value: unknown } | { ok: false; detail: string };

/** Reads XML without throwing: elements as keys, repeated ones as a list. */
export function readXml(body: Uint8Array): Read {
  if (!isUtf8(body)) return { ok: false, detail: "The body is not valid UTF-8." };
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString();
  if (!BEGINS.test(text)) return { ok: false, detail: "The body is not XML." };
  if (DOCTYPE.test(text)) return { ok: false, detail: "The XML has a document type (DOCTYPE), which is not read." };
  if (isTooDeep(text)) return { ok: false, detail: `The XML is nested deeper than ${MAX_DEPTH} elements.` };
  try {
    const value: unknown = PARSER.parse(text, true);
    return { ok: true, value };
  } catch {
    return { ok: false, detail: "The body is not valid XML." };
  }
}

/** Counts tags alone; text of a CDATA section may count too, which only rejects more. */
function isTooDeep(text: string): boolean {
  let depth = 0;
  for (const [tag] of text.matchAll(/<[/!?]?[^<>]*>/g)) {
    if (tag.startsWith("</")) depth -= 1;
    else if (!/^<[!?]|\/>$/.test(tag)) depth += 1;
    if (depth > MAX_DEPTH) return true;
  }
  return false;
}
