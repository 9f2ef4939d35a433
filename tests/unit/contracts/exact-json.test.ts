import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import { type ExactNumber, fromPlain, isExactNumber, parseExact, writeJson } from "#lib/contracts/exact-json";
import { compareDecimals, compareNumbers, decimalKey, numberKey, plainDecimal, toPlain, wholeNumber } from "#lib/contracts/exact-numbers";

afterEach(() => vi.unstubAllGlobals());

/** Whitespace between, and every spelling of numbers. */
const number = fc.oneof(
  fc.stringMatching(/^-?(?:0|[1-9]\d{0,24})(?:\.\d{1,12})?(?:[eE][+-]?\d{1,4})?$/),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
  fc.constantFrom("1.10", "1e400", "-0", "1152921504606846977", "0.0000001", "12345678901234567", "1E5"),
);
const text = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    number,
    fc.string({ unit: "grapheme" }).map((value) => JSON.stringify(value)),
    fc.constantFrom("true", "false", "null", '"1.10 "', '"\\u0022, 1.10]"', '"2e41,"'),
    fc.array(tie("value")).map((items) => `[${items.join(" , ")}]`),
    fc
      .array(fc.tuple(fc.constantFrom('"a"', '"__proto__"', '"1"', '"\\n1.0,"'), tie("value")))
      .map((fields) => `{${fields.map(([key, value]) => `${key}:\n${value}`).join(",")}}`),
  ),
})).value;

describe("numbers of a JSON text", () => {
  it.each([
    "1152921504606846977",
    "1e400",
    "1.10",
    "-0.0",
    "1.0",
    "1E5",
    "0.0000001",
    "9007199254740993",
    "-12345678901234567890.5",
    "0.30000000000000004001",
  ])("%s stays as it was written, wherever it stands", (digits) => {
    for (const json of [digits, `{"id":${digits}}`, `[${digits}]`, `[0, ${digits}\n]`, `{"a":{"id": ${digits}},"b":"${"x".repeat(40)}"}`])
      expect(writeJson(parseExact(json))).toBe(json.replaceAll(/(?<=[:[,{]|^)\s+|\s+(?=[\]}])/g, ""));
  });

  it("are doubles where a double is written alike", () => {
    expect(parseExact('{"a":[1,-2.5,1e+21,9007199254740992],"b":"1.10"}')).toEqual({ a: [1, -2.5, 1e21, 9007199254740992], b: "1.10" });
  });

  it("change nothing else of what is read: keys, texts, repeated keys, depth", () => {
    fc.assert(
      fc.property(text, (json) => {
        const exact = parseExact(json);
        // Written once, -0 is 0.
        expect(JSON.stringify(JSON.parse(writeJson(exact)))).toBe(JSON.stringify(JSON.parse(json)));
        expect(writeJson(parseExact(writeJson(exact)))).toBe(writeJson(exact));
      }),
    );
    const deep = `${"[".repeat(100_000)}1.10${"]".repeat(100_000)}`;
    let value = parseExact(deep);
    while (Array.isArray(value)) [value] = value;
    expect(String(value)).toBe("1.10");
    expect(Object.keys(parseExact('{"__proto__":1.10}') as object)).toEqual(["__proto__"]);
  });

  it("what is not JSON is not read", () => {
    for (const wrong of ["{1.10:2}", "[01.10]", "[1.10", '"1.10', "1.10 2", ""]) expect(() => parseExact(wrong)).toThrow(SyntaxError);
  });

  it("are written as they came without JSON.rawJSON too, and no text is taken for one", () => {
    const json = '{"id":1152921504606846977,"text":"number-x-1.10","list":[1.10]}';
    const value = parseExact(json);
    vi.stubGlobal("JSON", { parse: JSON.parse, stringify: JSON.stringify });
    expect(writeJson(value)).toBe(json);
  });
});

it("data with exact numbers passes from a server component to the browser, which takes plain objects only", () => {
  const data = parseExact('{"id":1152921504606846977,"list":[1.10,1]}');
  expect(writeJson(fromPlain(structuredClone(toPlain(data))))).toBe('{"id":1152921504606846977,"list":[1.10,1]}');
  const plain = { id: 7, text: "1.10" };
  expect(fromPlain(toPlain(plain))).toBe(plain);
});

describe("decimal values", () => {
  it("are compared, not their spellings", () => {
    const of = (digits: string) => parseExact(digits) as number | ExactNumber;
    for (const [one, other] of [
      ["1.10", "1.1"],
      ["1e3", "1000"],
      ["-0.0", "0"],
      ["1152921504606846977.0", "1152921504606846977"],
    ] as const) {
      expect(compareNumbers(of(one), of(other))).toBe(0);
      expect(new Set([numberKey(of(one)), numberKey(of(other))]).size).toBe(1);
    }
    const rising = [
      "-1e401",
      "-1e400",
      "-1.10",
      "-1e-400",
      "0",
      "1e-400",
      "1.0999",
      "1152921504606846976",
      "1152921504606846977",
      "1e400",
      "1.01e400",
    ];
    for (const [at, one] of rising.entries())
      for (const [then, other] of rising.entries()) {
        expect(Math.sign(compareNumbers(of(one), of(other))) + 0).toBe(Math.sign(at - then));
        if (at !== then) expect(numberKey(of(one))).not.toBe(numberKey(of(other)));
      }
  });

  it("agree with the doubles of short decimals", () => {
    const short = fc.stringMatching(/^-?(?:0|[1-9]\d{0,6})(?:\.\d{1,6})?(?:e-?\d)?$/);
    fc.assert(
      fc.property(short, short, (a, b) => {
        expect(Math.sign(compareDecimals(a, b)) + 0).toBe(Math.sign(Number(a) - Number(b)) + 0);
        expect(decimalKey(a) === decimalKey(b)).toBe(Number(a) === Number(b));
      }),
    );
  });

  it("of any length cost no more than their text", () => {
    const zeros = `1${"0".repeat(1_000_000)}1`;
    expect(decimalKey(zeros)).toBe(`${zeros}e0`);
    expect(plainDecimal("1e1000000000", 100)).toBeNull();
    expect(compareDecimals("1e1000000000", "1e-1000000000")).toBeGreaterThan(0);
  });

  it.each([
    ["1.10", "1.10"],
    ["1.5e3", "1500"],
    ["1.50e1", "15.0"],
    ["100e-2", "1.00"],
    ["1e-7", "0.0000001"],
    ["-0.0", "0.0"],
    ["0e5", "0"],
    ["1e+21", "1000000000000000000000"],
  ])("%s without an exponent is %s", (number, plain) => expect(plainDecimal(number, 100)).toBe(plain));

  it("whole numbers are identifiers, fractions are not", () => {
    expect(["7", "7.0", "1e3", "-5", "1152921504606846977"].map(wholeNumber)).toEqual(["7", "7", "1000", "-5", "1152921504606846977"]);
    expect(["1.5", "1e-1", "1e400"].map(wholeNumber)).toEqual([undefined, undefined, undefined]);
    expect(isExactNumber(parseExact("1.10"))).toBe(true);
  });
});
