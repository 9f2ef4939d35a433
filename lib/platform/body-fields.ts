import { idText } from "#lib/contracts/exact-numbers";
import { parseJson, readPayload } from "./payload.ts";

/** No sender's fields are deeper, and each level may be JSON in a text. */
const MAX_TEXTS = 4;

/**
 * Returns a reader of a body's fields, as text. The body is read once, when the first field is asked for; a path goes on into a text that is
 * JSON, as a form's field holds it.
 */
export function fieldsOf(body: Uint8Array): (path: string) => string | undefined {
  const texts = new Map<string, unknown>();
  let payload: { value: unknown } | undefined;
  const inText = (text: string): unknown => {
    if (!texts.has(text) && texts.size < MAX_TEXTS) {
      const json = parseJson(Buffer.from(text));
      texts.set(text, json.ok ? json.value : undefined);
    }
    return texts.get(text);
  };
  return (path) => {
    if (payload === undefined) {
      const read = readPayload(body);
      payload = { value: read.ok ? read.value : undefined };
    }
    let value = payload.value;
    for (const key of path.split(".")) {
      const inner = typeof value === "string" ? inText(value) : value;
      if (typeof inner !== "object" || inner === null || !Object.hasOwn(inner, key)) return undefined;
      value = (inner as Record<string, unknown>)[key];
    }
    return idText(value);
  };
}
