import fc from "fast-check";
import { expect, it } from "vitest";
import { differenceFromSigned, signBody, verifySignature } from "#lib/platform/signature";

const SECRET = { id: "sec_1", value: "a-webhook-secret-of-the-tests" };
const SEED = Number(process.env.TEST_SEED ?? 1);
const canonicalOf = (text: string) => JSON.stringify(JSON.parse(text));
/** Outcome for a body that comes with the signature of its canonical text, as one that was captured has it. */
const verified = (text: string) =>
  verifySignature(Buffer.from(text), signBody(Buffer.from(canonicalOf(text)), SECRET.value), [SECRET]).outcome;

it.each([
  ["indented", JSON.stringify({ id: "e", data: { a: [1, 2], b: null } }, null, 2)],
  ["escaped", '{"id":"\\u0065","data":{"t":"Gr\\u00fc\\u00dfe","s":"a\\/b"}}'],
  ["numbers of one value", '{"a":1.0,"b":100e-2,"c":-0,"d":1E3,"e":0.10}'],
  ["keys of one name in other objects", '{"a":{"a":1},"b":[{"a":1},{"a":2}]}'],
  ["brackets and commas in texts", '{"a": "{,\\"a\\":}", "b": "[1,2]"}'],
])("a body that a proxy wrote anew verifies: %s", (_, text) => {
  expect(verified(text)).toBe("verified");
});

it.each([
  ["a key that stands twice", '{"id":"e","data":"foreign","data":{"a":1}}'],
  ["one that is escaped", '{"id":"e","d\\u0061ta":"foreign","data":{"a":1}}'],
  ["one deep inside", '{"id":"e","data":[{"a":{"b":1,"b":2}}]}'],
  ["digits beyond a double", '{"id":1152921504606846977}'],
  ["a number that is none as a double", '{"id":"e","n":1e400}'],
  ["one that is nothing as a double", '{"id":"e","n":1e-400}'],
  ["more padding than its text", `{"id":"e",${" ".repeat(2000)}"data":{}}`],
])("a captured signature is no licence for another body of its value: %s", (_, text) => {
  expect(verified(text)).toBe("signature_mismatch");
});

/** Of few keys and numbers, so that what is inserted often makes another text of the same value. */
const SIGNED = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    fc.integer({ min: -20, max: 20 }),
    fc.constantFrom("", "a", null),
    tie("object"),
    fc.array(tie("value"), { maxLength: 2 }),
  ),
  object: fc.dictionary(fc.constantFrom("a", "b"), tie("value")),
})).object;

it("nothing that verifies differs in value, in any reader's view or by more than twice its bytes from what was signed", () => {
  const compared = { inserted: 0, repeated: 0 };
  const compare = (how: keyof typeof compared, canonical: string, changed: string) => {
    if (!hasValue(changed, canonical)) return;
    compared[how] += 1;
    if (differenceFromSigned(changed, canonical) !== null) return;
    // A reader that takes the first of two keys.
    expect(firstOfEach(changed)).toEqual(firstOfEach(canonical));
    expect(decimalsOf(changed)).toEqual(decimalsOf(canonical));
    expect(changed.length).toBeLessThanOrEqual(2 * canonical.length + 1024);
  };
  fc.assert(
    fc.property(
      SIGNED,
      fc.nat(),
      fc.constantFrom(" ", " ".repeat(3000), "0", '"', "e5", ".0", ".00000000000000000000001", "\\u0061", ","),
      (signed, at, inserted) => {
        const canonical = JSON.stringify(signed);
        const place = at % (canonical.length + 1);
        compare("inserted", canonical, canonical.slice(0, place) + inserted + canonical.slice(place));
      },
    ),
    { numRuns: 800, seed: SEED },
  );
  fc.assert(
    fc.property(
      fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }), { minKeys: 1 }),
      fc.nat(),
      fc.json(),
      fc.boolean(),
      (object, at, foreign, escaped) => {
        const canonical = canonicalOf(JSON.stringify(object));
        compare("repeated", canonical, withKeyTwice(canonical, at, foreign, escaped));
      },
    ),
    { numRuns: 800, seed: SEED },
  );
  // Neither is a test of nothing.
  expect(Math.min(compared.inserted, compared.repeated)).toBeGreaterThan(15);
});

const tokensOf = (text: string): string[] => text.match(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false|null|[{}[\],:]/g) ?? [];

/** The text with one of its keys before itself once more, with another value and perhaps in another spelling. */
function withKeyTwice(text: string, at: number, value: string, escaped: boolean): string {
  const tokens = tokensOf(text);
  const keys = tokens.flatMap((_, n) => (tokens[n + 1] === ":" ? [n] : []));
  const n = keys[at % keys.length] ?? 0;
  const name = JSON.parse(tokens[n] ?? "") as string;
  const units = Array.from({ length: name.length }, (_, unit) => `\\u${name.charCodeAt(unit).toString(16).padStart(4, "0")}`);
  return tokens.toSpliced(n, 0, escaped ? `"${units.join("")}"` : (tokens[n] ?? ""), ":", value, ",").join("");
}

function hasValue(text: string, canonical: string): boolean {
  try {
    return canonicalOf(text) === canonical;
  } catch {
    return false;
  }
}

/** Numbers of a text as a reader has them that keeps each digit: without zeros that say nothing. */
const decimalsOf = (text: string): string[] =>
  (text.replaceAll(/"(?:[^"\\]|\\.)*"/g, "").match(/-?\d[\d.eE+-]*/g) ?? []).map((number) =>
    number.includes("e")
      ? String(Number(number))
      : number
          .replace(/(\.\d*?)0+$/, "$1")
          .replace(/\.$/, "")
          .replace(/^-0$/, "0"),
  );

/** Paths and values of a text, the first of equal paths. */
function firstOfEach(text: string): Map<string, unknown> {
  const found = new Map<string, unknown>();
  const tokens = tokensOf(text);
  const renamed = tokens.map((token, n) => (tokens[n + 1] === ":" ? JSON.stringify(`${JSON.parse(token)}\u0000${n}`) : token)).join("");
  const walk = (value: unknown, path: string): void => {
    if (typeof value !== "object" || value === null) {
      if (!found.has(path)) found.set(path, value);
      return;
    }
    for (const [key, inner] of Object.entries(value))
      walk(inner, `${path}/${Array.isArray(value) ? key : key.slice(0, key.lastIndexOf("\u0000"))}`);
  };
  walk(JSON.parse(renamed), "");
  return found;
}
