import { describe, expect, it } from "vitest";
import { locateJsonError, replaceStrings } from "#lib/platform/json-text";

const locate = (text: string) => locateJsonError(Buffer.from(text));

describe("where a body stops being JSON", () => {
  it.each([
    ["", 0],
    ["probe=1", 0],
    ['{"id":"a",}', 10],
    ['{"id":"a" "b":1}', 10],
    ['{"id":tru}', 9],
    ['{"a":[1,2', 9],
    ['{"a":01}', 6],
    ['{"a":-}', 6],
    ["{a:1}", 1],
    ['{"a":"line\nbreak"}', 10],
    ['{"a":1} x', 8],
    ['{"a":"\\x"}', 6],
    ["[1,]", 3],
    ['["ü",x]', 6],
  ])("%j at byte %i", (text, offset) => {
    expect(locate(text)?.offset).toBe(offset);
  });

  it("tells line, column and what stands there, and the first byte that is no UTF-8", () => {
    expect(locate('{\n  "grüße": 1,\n  oops\n}')).toMatchObject({ line: 3, column: 3, near: { at: "o", after: "ops\n}" } });
    expect(locateJsonError(Buffer.concat([Buffer.from('{"a":"ü'), Buffer.from([0xff]), Buffer.from('"}')]))).toEqual({
      offset: 8,
      line: null,
      column: null,
      near: null,
    });
  });

  it("finds none in what JSON.parse takes, however it is mutated, and one in all else; depth does not matter", () => {
    const valid = '{"id":"evt_1","n":[0,-1.5e+3,{}],"t":true,"x":null,"s":"\\u00e9\\n"} ';
    for (let at = 0; at < valid.length; at += 1) {
      for (const put of ["", ",", '"', "}", "[", "0", "\\", " "]) {
        const text = valid.slice(0, at) + put + valid.slice(at + 1);
        let parses = true;
        try {
          JSON.parse(text);
        } catch {
          parses = false;
        }
        expect([text, locate(text) === null]).toEqual([text, parses]);
      }
    }
    const deep = "[".repeat(100_000);
    expect(locate(deep)?.offset).toBe(100_000);
  });
});

const replaced = (text: string) => replaceStrings(text, (string) => (string === 'a"\\' ? "-" : string));

it("a string is replaced however it is escaped, and all else stays as it was written", () => {
  const others = String.raw`"n":12345678901234567890, "n":1.0,"\u0062":"\"","c":"\\","d":["","a\"\\b"]`;
  expect(replaced(String.raw`{${others},"e":"a\"\\","f":"\u0061\u0022\u005C"}`)).toBe(`{${others},"e":"-","f":"-"}`);
});

it.each(["", '"', String.raw`"\"`, String.raw`"\x"`, "a=b", `${"\\".repeat(9)}"`])("what is no JSON stays as it is: %s", (text) => {
  expect(replaced(text)).toBe(text);
});
