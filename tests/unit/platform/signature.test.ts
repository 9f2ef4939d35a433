import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { type SigningSecret, verifySignature } from "#lib/platform/signature";
import { RAW_BODIES } from "#tests/support/raw-bodies";

const secrets: SigningSecret[] = [
  { id: "new", value: "new secret" },
  { id: "old", value: "old secret" },
];
const sign = (body: string | Uint8Array, secret = "new secret") => createHmac("sha256", secret).update(body).digest("hex");

describe("verifying a signature", () => {
  it(`takes each of ${RAW_BODIES.length} bodies to the byte and refuses it with one byte changed`, () => {
    expect(RAW_BODIES.length).toBeGreaterThanOrEqual(40);
    for (const text of RAW_BODIES) {
      const body = Buffer.from(text);
      expect(verifySignature(body, sign(body), secrets)).toEqual({ outcome: "verified", form: "raw", secretId: "new" });
      const changed = Buffer.concat([body, Buffer.from("x")]);
      expect(verifySignature(changed, sign(body), secrets).outcome).toBe("signature_mismatch");
    }
  });

  it("takes digits in capitals", () => {
    expect(verifySignature(Buffer.from("{}"), sign("{}").toUpperCase(), secrets).outcome).toBe("verified");
  });

  it("takes either of two secrets during a rotation and says which", () => {
    expect(verifySignature(Buffer.from("{}"), sign("{}", "old secret"), secrets)).toMatchObject({ secretId: "old" });
    expect(verifySignature(Buffer.from("{}"), sign("{}", "retired"), secrets).outcome).toBe("signature_mismatch");
  });

  it("takes a signature over the re-serialized form, and names that form and the text that was signed", () => {
    expect(verifySignature(Buffer.from('{ "a": 1 }'), sign('{"a":1}'), secrets)).toEqual({
      outcome: "verified",
      form: "reserialized",
      secretId: "new",
      signed: Buffer.from('{"a":1}'),
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
    [`"${right}"`, "signature_malformed"],
    [`0x${right}`, "signature_malformed"],
    [`g${right.slice(1)}`, "signature_malformed"],
    [`${right.slice(0, 32)} ${right.slice(32)}`, "signature_malformed"],
    [` ${right}`, "signature_malformed"],
    [`${right} `, "signature_malformed"],
    [`${right}\n`, "signature_malformed"],
    [right.replace(/./, "٣"), "signature_malformed"],
    [[right, right], "signature_repeated"],
    [`${right}, ${right}`, "signature_repeated"],
  ])("refuses the header %j", (header, outcome) => {
    expect(verifySignature(Buffer.from("{}"), header, secrets)).toEqual({ outcome });
  });
});
