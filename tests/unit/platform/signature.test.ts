import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { type SigningSecret, signBody, verifySignature } from "#lib/platform/signature";

const secrets: SigningSecret[] = [
  { id: "new", value: "new secret" },
  { id: "old", value: "old secret" },
];
const sign = (body: string | Uint8Array, secret = "new secret") => createHmac("sha256", secret).update(body).digest("hex");

/** Bodies that are easy to change by reading and writing them: each must verify as it is. */
const BODIES: (string | Buffer)[] = [
  '{"b":1,"a":2}',
  '{"2":1,"1":2}',
  '{"n":1.0}',
  '{"n":1e21}',
  '{"n":1E+2}',
  '{"n":-0}',
  '{"n":0.1e-7}',
  '{"n":12345678901234567890}',
  '{"u":"\\/"}',
  '{"u":"/"}',
  '{"u":"\\u00e9"}',
  '{"u":"é"}',
  '{"u":"e\u0301"}',
  '{"u":"\\ud83d\\ude00"}',
  '{"u":"😀"}',
  '{"u":"\\ud800"}',
  '{"u":"\\u0000"}',
  '{"u":"\\u2028"}',
  '{"u":"\u2028"}',
  '{"u":"\\b\\f\\n\\r\\t"}',
  '{"u":"<script>"}',
  '{"u":"&amp;"}',
  '{"a":1,"a":2}',
  '{"__proto__":{"a":1}}',
  '{"":""}',
  '{ "a" : 1 }',
  '{"a":1}\n',
  '{"a":1}\r\n',
  '{\r\n"a":1}',
  '\t{"a":1}',
  '\ufeff{"a":1}',
  "{}",
  "[]",
  "null",
  "0",
  '""',
  "",
  "not json",
  Buffer.from([0xff, 0xfe, 0x00]),
  `{"deep":${"[".repeat(50_000)}${"]".repeat(50_000)}}`,
];

describe("verifying a signature", () => {
  it(`takes each of ${BODIES.length} bodies to the byte and refuses it with one byte changed`, () => {
    expect(BODIES.length).toBeGreaterThanOrEqual(40);
    for (const text of BODIES) {
      const body = Buffer.from(text);
      expect(verifySignature(body, sign(body), secrets)).toEqual({ outcome: "verified", form: "raw", secretId: "new" });
      const changed = Buffer.concat([body, Buffer.from("x")]);
      expect(verifySignature(changed, sign(body), secrets).outcome).toBe("signature_mismatch");
    }
  });

  it("takes either of two secrets during a rotation and says which", () => {
    expect(verifySignature(Buffer.from("{}"), sign("{}", "old secret"), secrets)).toMatchObject({ secretId: "old" });
    expect(verifySignature(Buffer.from("{}"), sign("{}", "retired"), secrets).outcome).toBe("signature_mismatch");
  });

  it("takes a signature over the re-serialized form, and names that form", () => {
    expect(verifySignature(Buffer.from('{ "a": 1 }'), sign('{"a":1}'), secrets)).toEqual({
      outcome: "verified",
      form: "reserialized",
      secretId: "new",
    });
  });

  it("verifies nothing without a secret", () => {
    expect(verifySignature(Buffer.from("{}"), sign("{}"), []).outcome).toBe("signature_mismatch");
  });

  const right = sign("{}");
  it.each([
    [undefined, "signature_missing"],
    ["", "signature_missing"],
    [right.slice(1), "signature_malformed"],
    [`${right}0`, "signature_malformed"],
    [`sha256=${right}`, "signature_malformed"],
    [Buffer.from(right, "hex").toString("base64"), "signature_malformed"],
    [` ${right}`, "signature_malformed"],
    [`${right} `, "signature_malformed"],
    [`${right}\n`, "signature_malformed"],
    [right.replace(/./, "٣"), "signature_malformed"],
    [[right, right], "signature_repeated"],
    [`${right}, ${right}`, "signature_repeated"],
  ])("refuses the header %j", (header, outcome) => {
    expect(verifySignature(Buffer.from("{}"), header, secrets)).toEqual({ outcome });
  });

  it("signs as it verifies", () => {
    expect(signBody("{}", "new secret")).toBe(right);
  });
});
