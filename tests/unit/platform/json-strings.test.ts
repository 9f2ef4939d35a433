import { expect, it } from "vitest";
import { replaceStrings } from "#lib/platform/json-text";

const replaced = (text: string) => replaceStrings(text, (string) => (string === 'a"\\' ? "-" : string));

it("a string is replaced however it is escaped, and all else stays as it was written", () => {
  const others = String.raw`"n":12345678901234567890, "n":1.0,"\u0062":"\"","c":"\\","d":["","a\"\\b"]`;
  expect(replaced(String.raw`{${others},"e":"a\"\\","f":"\u0061\u0022\u005C"}`)).toBe(`{${others},"e":"-","f":"-"}`);
});

it.each(["", '"', String.raw`"\"`, String.raw`"\x"`, "a=b", `${"\\".repeat(9)}"`])("what is no JSON stays as it is: %s", (text) => {
  expect(replaced(text)).toBe(text);
});
