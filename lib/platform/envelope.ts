import { z } from "zod";
import { isExactNumber, isObject } from "#lib/contracts/json/exact-json";
import { doubleOf, idText } from "#lib/contracts/json/numbers";
import { type FieldMapping, WHOLE_BODY } from "#lib/contracts/sources/field-mapping";
import { valueAt } from "./field-names.ts";
import { parseJson } from "./reading/payload.ts";
import { issueWords } from "./validation-messages.ts";

/** Makes an ID's schema: PostgreSQL's text can't hold U+0000 and jsonb no lone surrogate. */
const identifier = (max: number) =>
  z.string().min(1).max(max).refine(isStorable, { error: "contains characters that identifiers can't contain" });

function isStorable(text: string): boolean {
  return !text.includes("\u0000") && text.isWellFormed();
}

/** docs/platform.md, "Webhook event envelope". ASSUMPTION: IDs have at most 400 characters, because they are index keys. */
export const envelopeSchema = z.looseObject({
  id: identifier(400),
  type: identifier(200),
  /** Unix seconds; `eventSeconds` reads other units. */
  created: z.int(),
  data: z.record(z.string(), z.unknown()),
});

export type Envelope = z.infer<typeof envelopeSchema>;

export type EnvelopeReading =
  | { outcome: "envelope"; envelope: Envelope }
  | { outcome: "malformed_json"; detail: string }
  | { outcome: "invalid_envelope"; detail: string };

/** True if `envelopeSchema` takes the value unchanged. Faster: every event of the platform is read by it. */
export function isEnvelope(value: unknown): value is Envelope {
  if (!isPlain(value)) return false;
  const { id, type, created, data } = value;
  return isIdentifier(id, 400) && isIdentifier(type, 200) && Number.isSafeInteger(created) && isPlain(data);
}

/** True for an object without `__proto__`, which the schema leaves out of its result. */
const isPlain = (value: unknown): value is Record<string, unknown> => isObject(value) && !Object.hasOwn(value, "__proto__");

const isIdentifier = (text: unknown, max: number): boolean =>
  typeof text === "string" && text !== "" && text.length <= max && isStorable(text);

/** Reads the documented envelope first: a mapping never changes the ID or time of an event that is readable without it. */
export function readEnvelope(body: Uint8Array, mapping: FieldMapping): EnvelopeReading {
  const json = parseJson(body);
  if (!json.ok) return { outcome: "malformed_json", detail: json.detail };
  if (isEnvelope(json.value)) return { outcome: "envelope", envelope: json.value };
  const parsed = envelopeSchema.safeParse(withDouble(json.value));
  if (parsed.success) return { outcome: "envelope", envelope: parsed.data };
  const mapped = PARTS.some((part) => mapping[`event.${part}`]) ? envelopeSchema.safeParse(mappedParts(json.value, mapping)) : parsed;
  if (mapped.success) return { outcome: "envelope", envelope: mapped.data };
  return { outcome: "invalid_envelope", detail: issueWords(mapped.error).join("; ") };
}

/** Reads a time like `1795880000.0` as whole. */
const withDouble = (value: unknown): unknown =>
  isObject(value) && isExactNumber(value.created) ? { ...value, created: Number(value.created) } : value;

const PARTS = ["id", "type", "created", "data"] as const;

/** Reads each part from the first of its mapped paths that fits, else from its documented place. */
function mappedParts(body: unknown, mapping: FieldMapping): Record<string, unknown> {
  const part = <T>(name: (typeof PARTS)[number], read: (value: unknown) => T | undefined): T | unknown => {
    const paths = mapping[`event.${name}`];
    if (!paths) return valueAt(body, name);
    const found = paths.map((path) => read(path === WHOLE_BODY ? body : valueAt(body, path))).find((value) => value !== undefined);
    return found ?? read(valueAt(body, name));
  };
  return {
    id: part("id", idText),
    type: part("type", (value) => (typeof value === "string" ? value : undefined)),
    created: part("created", secondsOf),
    data: part("data", (value) => (isObject(value) ? value : undefined)),
  };
}

/** Reads a mapped time: a number (fractions are cut), the same as text, or ISO 8601. */
export function secondsOf(value: unknown): number | undefined {
  if (typeof value === "string" && value.trim() !== "" && !/^\d+(\.\d+)?$/.test(value.trim())) {
    const parsed = Date.parse(value);
    return Number.isNaN(parsed) ? undefined : Math.floor(parsed / 1000);
  }
  const number = typeof value === "string" ? Number(value) : doubleOf(value);
  return number !== undefined && Number.isFinite(number) ? Math.floor(number) : undefined;
}
