import { z } from "zod";
import { issueWords } from "./issue-words.ts";

/** Postgres text can't hold U+0000 and jsonb no lone surrogate; an identifier has neither. */
const identifier = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .refine((text) => !text.includes("\u0000") && text.isWellFormed(), { error: "holds characters that no identifier has" });

/**
 * The webhook's envelope (platform-spec "Webhook event envelope"). Identifiers
 * are bounded (an assumption: 400 characters) because they are index keys.
 */
export const envelopeSchema = z.looseObject({
  id: identifier(400),
  type: identifier(200),
  /** Unix seconds. */
  created: z.int(),
  data: z.record(z.string(), z.unknown()),
});

export type Envelope = z.infer<typeof envelopeSchema>;

export type EnvelopeReading =
  | { outcome: "envelope"; envelope: Envelope }
  | { outcome: "malformed_json"; detail: string }
  | { outcome: "invalid_envelope"; detail: string };

// Drops a byte order mark, which JSON.parse would refuse.
const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Reads a verified body.
 *
 * @param body the raw bytes; only call this for what has verified
 * @returns the envelope, or in words why it is none
 */
export function readEnvelope(body: Uint8Array): EnvelopeReading {
  const json = parseJson(body);
  if (!json.ok) return { outcome: "malformed_json", detail: json.detail };
  const parsed = envelopeSchema.safeParse(json.value);
  if (parsed.success) return { outcome: "envelope", envelope: parsed.data };
  return { outcome: "invalid_envelope", detail: issueWords(parsed.error).join("; ") };
}

/** `JSON.parse` of bytes, without throwing. */
export function parseJson(body: Uint8Array): { ok: true; value: unknown } | { ok: false; detail: string } {
  let text: string;
  try {
    text = utf8.decode(body);
  } catch {
    return { ok: false, detail: "The body is not valid UTF-8." };
  }
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch {
    return { ok: false, detail: text === "" ? "The body is empty." : "The body is not valid JSON." };
  }
}
