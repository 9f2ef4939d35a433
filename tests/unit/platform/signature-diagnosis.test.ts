import { createHash, createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { DIAGNOSIS_VERSION, type KnownSecret } from "#lib/platform/diagnosis/diagnoses";
import { diagnoseSignature } from "#lib/platform/diagnosis/signature-diagnosis";
import { SECRET_NOT_KEPT } from "#lib/platform/signature";
import { expectPace } from "#tests/support/pace";

const BODY = '{"id":"evt_1","type":"document.uploaded","created":1760000000,"data":{"name":"Müller & Söhne","path":"a/b","n":1.0}}';
const CANONICAL = JSON.stringify(JSON.parse(BODY));
const SECRET = "whsec_c2VjcmV0LW9mLXRoZS10ZXN0cw==";

const secret = (id: string, value: string, state: KnownSecret["state"], source = "platform"): KnownSecret => ({
  id,
  value,
  state,
  source,
  endedAt: state === "retired" ? new Date("2026-01-01T00:00:00Z") : null,
});
const SECRETS = [
  secret("sec_now", SECRET, "valid"),
  secret("sec_old", "the secret of last year", "retired"),
  secret("sec_else", "the secret of billing", "another_source", "billing"),
];

const hmac = (body: string | Uint8Array, key: string | Uint8Array = SECRET, algorithm = "sha256") =>
  createHmac(algorithm, key).update(body).digest("hex");

function diagnose(header: string | undefined, body: string | Uint8Array = BODY, secrets: KnownSecret[] = SECRETS, cut = false) {
  return diagnoseSignature({ body: Buffer.from(body), cut, header, secrets });
}
const right = hmac(BODY);
const base64 = (hex: string) => Buffer.from(hex, "hex").toString("base64");

describe("the form of the signature", () => {
  it.each([
    ["nothing", undefined, "header_missing", ""],
    ["an empty header", "", "header_missing", ""],
    ["the secret itself", SECRET_NOT_KEPT, "secret_sent", ""],
    ["the same twice", `${right}, ${right}`, "header_repeated", "2 of 2"],
    ["two of which one is right", `${right}, ${hmac("x")}`, "header_repeated", "1 of 2"],
    ["sha256=", `sha256=${right}`, "prefix", "It verifies now."],
    ["a prefix over base64", `sha256=${base64(right)}`, "prefix", "It verifies now."],
    [
      "a prefix over a retired secret",
      `sha256=${hmac(BODY, "the secret of last year")}`,
      "prefix",
      "Signed with the retired secret sec_old.",
    ],
    ["a scheme of parts", `t=1760000000,v1=${right}`, "prefix", "It verifies now."],
    ["0x", `0x${right}`, "prefix", "It verifies now."],
    ["base64", base64(right), "base64", "It verifies now."],
    ["base64url without its end", base64(right).replace("=", "").replaceAll("+", "-").replaceAll("/", "_"), "base64", "It verifies now."],
    ["base64 of the digits", Buffer.from(right).toString("base64"), "base64", "It verifies now."],
    ["63 digits", right.slice(1), "wrong_length", ""],
    ["SHA-1", hmac(BODY, SECRET, "sha1"), "wrong_length", "it matches as HMAC with SHA-1"],
    ["SHA-512", hmac(BODY, SECRET, "sha512"), "wrong_length", "it matches as HMAC with SHA-512"],
    ["quotes", `"${right}"`, "not_hex", "It verifies now."],
    ["other digits", "٣".repeat(64), "not_hex", ""],
  ])("%s: %#", (_, header, code, evidence) => {
    const finding = diagnose(header);
    expect(finding.code).toBe(code);
    expect(JSON.stringify(finding.evidence)).toContain(evidence);
  });
});

describe("the secret", () => {
  it.each([
    ["valid now", hmac(BODY), "verifies", "the raw body"],
    ["valid now, over the re-serialized body", hmac(CANONICAL), "verifies_reserialized", "re"],
    ["with a line break, as echo adds it", hmac(BODY, `${SECRET}\n`), "secret_trimmed", "sec_now"],
    ["in quotes, as an env file may leave them", hmac(BODY, `"${SECRET}"`), "secret_trimmed", "sec_now"],
    ["decoded from base64", hmac(BODY, Buffer.from("secret-of-the-tests")), "secret_decoded", "sec_now"],
    ["without whsec_", hmac(BODY, SECRET.slice(6)), "secret_decoded", "sec_now"],
    ["retired", hmac(BODY, "the secret of last year"), "secret_retired", "2026-01-01"],
    ["retired, over the re-serialized body", hmac(CANONICAL, "the secret of last year"), "secret_retired", "sec_old"],
    ["of another source", hmac(BODY, "the secret of billing"), "secret_of_another_source", "billing"],
    ["none: a plain digest", createHash("sha256").update(BODY).digest("hex"), "not_keyed", "anyone"],
    ["glued to the body", createHash("sha256").update(SECRET).update(BODY).digest("hex"), "not_keyed", "not an HMAC"],
    ["unknown", hmac(BODY, "nobody's"), "no_match", hmac(BODY).slice(0, 8)],
  ])("%s", (_, header, code, evidence) => {
    const finding = diagnose(header);
    expect([finding.code, JSON.stringify(finding)]).toEqual([code, expect.stringContaining(evidence)]);
  });

  it.each([`${SECRET}\n`, ` ${SECRET}`, `"${SECRET}"`, `\ufeff${SECRET}`])("ours is odd: %j", (ours) => {
    const finding = diagnose(right, BODY, [secret("sec_now", ours, "valid")]);
    expect(finding).toMatchObject({ code: "secret_trimmed", verdict: expect.stringContaining("ours has") });
  });
});

const mojibake = (text: string) => Buffer.from(Buffer.from(text).toString("latin1"));
const python = BODY.replaceAll('":', '": ').replaceAll(',"', ', "');

it.each([
  ["a key that stands twice", BODY.replace("{", '{"data":1,"data":2,'), '{"data":2,', /the key "data" stands twice in one object/],
  [
    "digits",
    '{"id":1152921504606846977}',
    '{"id":1152921504606847000}',
    /the number 1152921504606846977 is another than the one that was signed/,
  ],
  ["padding", `{"a":${" ".repeat(2000)}1}`, '{"a":1}', /it has 2007 bytes where 7 were signed/],
])("a body that says more than what was signed: %s", (_, body, signed, words) => {
  const text = signed.endsWith(",") ? BODY.replace("{", signed) : signed;
  expect(diagnose(hmac(JSON.stringify(JSON.parse(text))), body)).toMatchObject({
    code: "body_changed",
    verdict: expect.stringMatching(words),
  });
});

it("a body that was cut is told by what the receiver found, which had the whole of it", () => {
  const request = { body: Buffer.from(BODY), cut: true, header: hmac("x"), secrets: SECRETS, told: 'the key "data" stands twice' };
  expect(diagnoseSignature(request).evidence).toEqual([{ label: "When it arrived", value: request.told }]);
});

describe("the body", () => {
  it.each<[string, string | Buffer, string | Buffer, RegExp]>([
    ["a byte order mark was added", BODY, `\ufeff${BODY}`, /mark was added/],
    ["a byte order mark was lost", `\ufeff${BODY}`, BODY, /mark was removed/],
    ["CRLF became LF", BODY.replace(",", ",\r\n"), BODY.replace(",", ",\n"), /CRLF to LF/],
    ["LF became CRLF", BODY.replace(",", ",\n"), BODY.replace(",", ",\r\n"), /LF to CRLF/],
    ["a line break was added", BODY, `${BODY}\n`, /trailing whitespace was added/],
    ["the line break was lost", `${BODY}\n`, BODY, /trailing line break was removed/],
    ["Latin-1 was sent", BODY, Buffer.from(BODY, "latin1"), /sent in ISO 8859-1/],
    ["it was encoded twice", BODY, mojibake(BODY), /encoded again/],
    ["it was encoded twice by way of Windows-1252", '{"a":"“"}', '{"a":"â€œ"}', /Windows-1252/],
    ["Latin-1 was signed", Buffer.from(BODY, "latin1"), BODY, /signed in ISO 8859-1/],
    ["UTF-16 was signed", Buffer.from(BODY, "utf16le"), BODY, /UTF-16/],
    ["Unicode normalization was changed", BODY.normalize("NFD"), BODY, /NFD/],
    ["Python's spaces were lost", python, BODY, /Python.*/],
    ["Python's spaces and escapes were lost", python.replaceAll(/[^ -~]/g, (c) => `\\u00${c.charCodeAt(0).toString(16)}`), BODY, /escaped/],
    ["it was pretty", JSON.stringify(JSON.parse(BODY), null, 2).replace(": 1\n", ": 1.0\n"), BODY, /two spaces/],
    [
      "it was pretty with a line break",
      `${JSON.stringify({ a: [1, {}, []] }, null, 2)}\n`,
      '{"a":[1,{},[]]}',
      /two spaces, followed by a line/,
    ],
    ["it was made pretty", BODY, python, /without whitespace/],
    [
      "PHP's slashes",
      BODY.replaceAll("/", "\\/").replaceAll(/[^ -~]/g, (c) => `\\u00${c.charCodeAt(0).toString(16)}`),
      BODY,
      /slashes escaped/,
    ],
    ["Go's escapes", BODY.replace("&", "\\u0026"), BODY, /Go/],
    ["its keys were sorted before signing", '{"a":1,"b":2}', '{"b":2, "a":1}', /sorted/],
  ])("%s", (_, signedBody, received, how) => {
    const finding = diagnose(hmac(signedBody), received);
    expect(finding.code).toBe("body_changed");
    expect(finding.verdict).toMatch(how);
  });

  it("is empty, or was cut when it was kept", () => {
    expect(diagnose(right, "").code).toBe("body_empty");
    expect(diagnose(right, BODY.slice(0, 9), SECRETS, true).code).toBe("body_cut");
  });

  it("of 64 KB of anything costs a bounded time", () => {
    const nasty = [
      '"\\'.repeat(32_000),
      "[".repeat(65_536),
      `${"[".repeat(32_000)}${"]".repeat(32_000)}`,
      JSON.stringify({ a: "é/<".repeat(16_000) }),
    ];
    for (const body of nasty) {
      const started = performance.now();
      expect(diagnose(right, body).code).toBe("no_match");
      expectPace(performance.now() - started, 1000);
    }
  });
});

it("never tells a secret or a whole digest of ours", () => {
  for (const header of [
    undefined,
    right,
    `sha256=${hmac("x")}`,
    hmac("x"),
    hmac(BODY, "the secret of last year"),
    hmac(BODY, `${SECRET}\n`),
  ]) {
    const told = JSON.stringify(diagnose(header));
    for (const { value } of SECRETS) expect(told).not.toContain(value);
    for (const { value } of SECRETS) expect(told).not.toContain(hmac(BODY, value));
  }
});

/** Hash of the words that diagnoses are made of, whatever their code looks like. */
function hashOfWords(): string {
  const files = ["diagnoses.ts", "scheme-diagnosis.ts", "signature-diagnosis.ts"].map((name) => `lib/platform/diagnosis/${name}`);
  const words = files.flatMap(
    (file) =>
      readFileSync(file, "utf8")
        .replaceAll(/^(import|\} from) .*$/gm, "")
        .match(/"[^"\n]*"|`[^`]*`/g) ?? [],
  );
  return createHash("sha256").update(words.join("\n")).digest("hex").slice(0, 16);
}

/** What this version of the diagnoses was raised for. */
const RAISED_FOR = { version: 5, words: "e24e71fee9a02928" };

it("diagnoses have a new version when they say something else, so that updated installations look again at what is in quarantine", () => {
  expect({ version: DIAGNOSIS_VERSION, words: hashOfWords() }, "raise DIAGNOSIS_VERSION, and write both here").toEqual(RAISED_FOR);
});
