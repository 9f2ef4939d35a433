import { expect, test } from "vitest";
import { hexDump } from "#lib/client/format/raw-request";

test("bytes are shown with their offset and as ASCII, with dots for what can't be printed", () => {
  const bytes = new TextEncoder().encode('{"id":"Müller"}\n~\u007f');
  expect(hexDump(bytes)).toBe(
    [
      '00000000  7b 22 69 64 22 3a 22 4d c3 bc 6c 6c 65 72 22 7d  {"id":"M..ller"}',
      "00000010  0a 7e 7f                                         .~.",
    ].join("\n"),
  );
  expect(hexDump(new Uint8Array())).toBe("");
});
