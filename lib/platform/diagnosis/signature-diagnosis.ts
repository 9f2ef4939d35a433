import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { reserialize, SECRET_NOT_KEPT, verifySignature } from "../signature.ts";
import type { KnownSecret, UnverifiedDiagnosis, UnverifiedRequest } from "./diagnoses.ts";
import * as say from "./diagnoses.ts";
import { bodyVariants, decodedSecrets, type SecretVariant, trimmedSecrets } from "./variants.ts";

/** Returns the first cause that holds. Explains, never accepts: only `verifies` and `verifies_reserialized` are the receiver's verdict. */
export function diagnoseSignature(request: UnverifiedRequest): UnverifiedDiagnosis {
  const form = readHeaderForm(request.header);
  if (form.form !== "hex") return diagnoseForm(request, form);
  if (request.cut) return say.bodyCut(request.told);
  const checked = verifySignature(request.body, form.digest, valid(request.secrets));
  if (checked.outcome === "verified") return say.verifies(checked.form === "reserialized" ? "reserialized" : "raw", checked.secretId);
  if (checked.outcome === "signature_mismatch" && checked.difference) return say.notWhatWasSigned(checked.difference);
  return diagnoseDigest({ ...request, body: Buffer.from(request.body) }, form.digest);
}

function diagnoseForm(request: UnverifiedRequest, form: Exclude<HeaderForm, { form: "hex" }>): UnverifiedDiagnosis {
  switch (form.form) {
    case "missing":
      return say.headerMissing();
    case "secret":
      return say.secretSent();
    case "repeated":
      return say.headerRepeated(form.values.length, countThatVerify(request, form.values));
    case "prefix":
      return say.prefix(form.prefix, form.digest && beneath(request, form.digest));
    case "base64":
      return say.base64(form.how, beneath(request, form.digest));
    case "wrong_length":
      return say.wrongLength(form.length, algorithmThatMatches(request));
    case "not_hex":
      return say.notHex(form.why, beneath(request, request.header?.replaceAll(/^[\s"']+|[\s"']+$/g, "") ?? ""));
  }
}

function beneath(request: UnverifiedRequest, digest: string): string | null {
  return readHeaderForm(digest).form === "hex" ? diagnoseSignature({ ...request, header: digest }).verdict : null;
}

const countThatVerify = ({ body, cut, secrets }: UnverifiedRequest, values: string[]) =>
  cut ? 0 : values.filter((value) => verifySignature(body, value, valid(secrets)).outcome === "verified").length;

const ALGORITHMS: Record<number, string> = { 32: "md5", 40: "sha1", 56: "sha224", 96: "sha384", 128: "sha512" };

function algorithmThatMatches({ body, cut, header = "", secrets }: UnverifiedRequest): { name: string; matches: boolean } | null {
  const name = ALGORITHMS[header.length];
  if (!name) return null;
  const matches = !cut && valid(secrets).some(({ value }) => createHmac(name, value).update(body).digest("hex") === header.toLowerCase());
  return { name: name.toUpperCase().replace("SHA", "SHA-"), matches };
}

type WholeRequest = UnverifiedRequest & { body: Buffer };

function diagnoseDigest(request: WholeRequest, digest: string): UnverifiedDiagnosis {
  const given = Buffer.from(digest, "hex");
  const forms = formsOf(request.body);
  const own = request.secrets.filter(({ state }) => state !== "another_source");
  return (
    bySecretVariant(own, forms, given) ??
    byOtherSecret(request.secrets, forms, given) ??
    byPlainDigest(own, request.body, given) ??
    (request.body.length === 0 ? say.bodyEmpty() : null) ??
    byChangedBody(own, request.body, given) ??
    say.noMatch(digest, valid(own), request.body, request.asked)
  );
}

/** Returns the two forms that the receiver itself accepts. */
function formsOf(body: Buffer): (Buffer | string)[] {
  const again = reserialize(body);
  return again === null ? [body] : [body, again];
}

function bySecretVariant(secrets: KnownSecret[], forms: (Buffer | string)[], given: Buffer): UnverifiedDiagnosis | null {
  for (const secret of secrets) {
    const find = (variants: Iterable<SecretVariant>) => [...variants].find(({ key }) => forms.some((form) => matches(key, form, given)));
    const trimmed = find(trimmedSecrets(secret.value));
    if (trimmed && trimmed.key !== secret.value) return say.secretTrimmed(secret, trimmed);
    const decoded = find(decodedSecrets(secret.value));
    if (decoded) return say.secretDecoded(secret, decoded);
  }
  return null;
}

function byOtherSecret(secrets: readonly KnownSecret[], forms: (Buffer | string)[], given: Buffer): UnverifiedDiagnosis | null {
  for (const state of ["retired", "another_source"] as const) {
    const found = secrets.find((secret) => secret.state === state && forms.some((form) => matches(secret.value, form, given)));
    if (found) return state === "retired" ? say.secretRetired(found) : say.secretOfAnotherSource(found);
  }
  return null;
}

/** Finds a digest without a secret, or with the secret concatenated to the body. */
function byPlainDigest(secrets: KnownSecret[], body: Buffer, given: Buffer): UnverifiedDiagnosis | null {
  const plain = (...parts: (Buffer | string)[]) => {
    const hash = createHash("sha256");
    for (const part of parts) hash.update(part);
    return timingSafeEqual(hash.digest(), given);
  };
  if (plain(body)) return say.notKeyed("It is the SHA-256 of the body alone: anyone could have computed it.");
  const glued = secrets.some(({ value }) => plain(value, body) || plain(body, value));
  return glued ? say.notKeyed("It is the SHA-256 of the secret and the body concatenated, not an HMAC.") : null;
}

function byChangedBody(secrets: KnownSecret[], body: Buffer, given: Buffer): UnverifiedDiagnosis | null {
  for (const variant of bodyVariants(body)) {
    const secret = secrets.find(({ value }) => matches(value, variant.body, given));
    if (secret) return say.bodyChanged(variant.words, secret);
  }
  return null;
}

const matches = (key: string | Buffer, body: Buffer | string, given: Buffer) =>
  timingSafeEqual(createHmac("sha256", key).update(body).digest(), given);

const valid = (secrets: readonly KnownSecret[]) => secrets.filter(({ state }) => state === "valid");

/** `digest` is the signature inside a wrong wrapping. */
type HeaderForm =
  | { form: "missing" }
  | { form: "secret" }
  | { form: "repeated"; values: string[] }
  | { form: "prefix"; prefix: string; digest: string | null }
  | { form: "base64"; how: string; digest: string }
  | { form: "wrong_length"; length: number }
  | { form: "not_hex"; why: string }
  | { form: "hex"; digest: string };

const HEX = /^[0-9a-f]+$/i;
const HEX_SHA256 = /^[0-9a-f]{64}$/i;
/** `sha256=…`, `v1=…`, `HMAC …`, `sha256:…`. Base64's own `=` comes last, so nothing follows it. */
const PREFIX = /^([A-Za-z][\w-]{0,19})(=|:|\s)\s*(\S.*)$/;

/** Reads a signature header as it was kept: repeated headers are joined by ", ". */
export function readHeaderForm(header: string | undefined): HeaderForm {
  if (header === undefined || header.trim() === "") return { form: "missing" };
  if (header.includes(SECRET_NOT_KEPT)) return { form: "secret" };
  const values = header.split(",").map((value) => value.trim());
  if (values.length > 1) return ofSeveral(values);
  if (HEX_SHA256.test(header)) return { form: "hex", digest: header };
  return unwrap(header);
}

/** Tells several values from one scheme of several parts such as `t=1760000000,v1=5f…`. */
function ofSeveral(values: string[]): HeaderForm {
  const parts = values.map((value) => PREFIX.exec(value));
  if (!parts.every((part) => part !== null) || parts[0]?.[1] === parts[1]?.[1]) return { form: "repeated", values };
  const carrier = parts.find((part) => HEX_SHA256.test(part[3] ?? ""));
  return { form: "prefix", prefix: parts.map((part) => `${part[1]}${part[2]}`).join(", "), digest: carrier?.[3] ?? null };
}

function unwrap(header: string): HeaderForm {
  const base64 = fromBase64(header);
  if (base64) return base64;
  const [, zeroX] = /^0x([0-9a-f]{64})$/i.exec(header) ?? [];
  if (zeroX) return { form: "prefix", prefix: "0x", digest: zeroX };
  const [, name = "", mark = "", rest = ""] = PREFIX.exec(header) ?? [];
  if (name) return { form: "prefix", prefix: `${name}${mark}`.trim(), digest: digestIn(rest) };
  if (HEX.test(header)) return { form: "wrong_length", length: header.length };
  return { form: "not_hex", why: oddityOf(header) };
}

function digestIn(text: string): string | null {
  if (HEX_SHA256.test(text)) return text;
  const base64 = fromBase64(text);
  return base64?.form === "base64" ? base64.digest : null;
}

/** Reads 32 bytes in base64 or base64url, or the 64 digits encoded in base64. */
function fromBase64(text: string): Extract<HeaderForm, { form: "base64" }> | null {
  if (/^[A-Za-z0-9+/_-]{43}=?$/.test(text)) return { form: "base64", how: "the 32 bytes in base64", digest: decode(text).toString("hex") };
  if (!/^[A-Za-z0-9+/_-]{86}(==)?$/.test(text)) return null;
  const inner = decode(text).toString("latin1");
  return HEX_SHA256.test(inner) ? { form: "base64", how: "the hexadecimal digits in base64", digest: inner } : null;
}

const decode = (text: string) => Buffer.from(text.replaceAll("-", "+").replaceAll("_", "/"), "base64");

function oddityOf(header: string): string {
  if (/^\s|\s$/.test(header)) return "It is surrounded by whitespace.";
  if (/^["'].*["']$/.test(header)) return "It is in quotes.";
  const odd = [...header].find((character) => !/[0-9a-f]/i.test(character)) ?? "";
  return `The first character that is not a hexadecimal digit is ${JSON.stringify(odd)}.`;
}
