import fc from "fast-check";
import { expect, test } from "vitest";
import { hintOf, mayBeApiKey, newApiKey } from "#lib/auth/credentials";

test("a key that we made passes its own checksum, and its hint gives nothing away", () => {
  for (let n = 0; n < 200; n += 1) {
    const key = newApiKey();
    expect(key).toMatch(/^sbx_key1_[\w-]{43}[0-9a-z]{7}$/);
    expect(mayBeApiKey(key)).toBe(true);
    expect(hintOf(key)).toHaveLength(13);
  }
});

test("one wrong, missing, added or swapped character is noticed without a look into the database", () => {
  const key = newApiKey();
  const body = key.slice("sbx_key1_".length);
  const place = fc.integer({ min: 0, max: body.length - 2 });
  fc.assert(
    fc.property(place, fc.constantFrom(..."abcXYZ019-_"), (at, letter) => {
      const wrong = body.slice(0, at) + letter + body.slice(at + 1);
      const swapped = body.slice(0, at) + body.charAt(at + 1) + body.charAt(at) + body.slice(at + 2);
      const others = [wrong, swapped, body.slice(0, at) + body.slice(at + 1), body.slice(0, at) + letter + body.slice(at)];
      for (const other of others) expect(mayBeApiKey(`sbx_key1_${other}`)).toBe(other === body);
    }),
    { numRuns: 500 },
  );
});

test("a key that an operator chose may be any 40 printable characters", () => {
  for (const text of ["e2e".repeat(14), "x".repeat(40), "a.b/c+d=e~f!g:h".repeat(3), `key2_${"y".repeat(50)}`])
    expect(mayBeApiKey(`sbx_${text}`)).toBe(true);
  for (const text of ["short", "x".repeat(201), `with a blank ${"x".repeat(40)}`, "ü".repeat(40)])
    expect(mayBeApiKey(`sbx_${text}`)).toBe(false);
});
