import { createHmac } from "node:crypto";
import { SIGNATURE_HEADER } from "../signature.ts";
import type { Finding, KnownSecret } from "./finding.ts";
import type { SecretVariant } from "./secret-variants.ts";

// What each rung of the ladder says: the verdict, one mend, and what they rest on.

type Evidence = Finding["evidence"];
const fact = (label: string, value: string): Evidence[number] => ({ label, value });

/** As much of a digest as tells two apart; never enough to sign with. */
const SHOWN_DIGITS = 8;

const CORRECT = "Send the HMAC-SHA256 of the raw body as 64 hexadecimal digits and nothing else.";
const RESEND = "Then let the platform send it again, or re-verify and admit it here.";

export const headerMissing = (): Finding => ({
  code: "header_missing",
  verdict: "It came without a signature.",
  mend: `If the platform sent it, look whether a proxy strips the header ${SIGNATURE_HEADER}. If not, somebody found the address: nothing to do.`,
  evidence: [fact("Looked for", `the header ${SIGNATURE_HEADER}`)],
});

export const secretSent = (): Finding => ({
  code: "secret_sent",
  verdict: "It came with the signing secret itself where the signature belongs.",
  mend: `The secret has travelled in the open: rotate it. ${CORRECT}`,
  evidence: [fact("Kept", "The header without the secret.")],
});

export const headerRepeated = (count: number, verifying: number): Finding => ({
  code: "header_repeated",
  verdict: `It came with ${count} signatures.`,
  mend: `Send the header ${SIGNATURE_HEADER} once. Look whether a proxy adds its own.`,
  evidence: [fact("Of these verify", `${verifying} of ${count}`)],
});

export const prefix = (before: string, under: string | null): Finding => ({
  code: "prefix",
  verdict: `Its signature is wrapped in a scheme: ${before}`,
  mend: CORRECT,
  evidence: [fact("Without it", under ?? "What is left is no digest of this kind.")],
});

export const base64 = (how: string, under: string | null): Finding => ({
  code: "base64",
  verdict: "Its signature is base64, not hexadecimal.",
  mend: CORRECT,
  evidence: [fact("Read as", how), fact("As hexadecimal", under ?? "It is no digest of this kind.")],
});

export const wrongLength = (length: number, algorithm: { name: string; matches: boolean } | null): Finding => ({
  code: "wrong_length",
  verdict: `Its signature has ${length} hexadecimal digits in place of 64.`,
  mend: algorithm ? `It seems to be made with ${algorithm.name}. ${CORRECT}` : `Look whether it is cut or doubled on the way. ${CORRECT}`,
  evidence: algorithm
    ? [
        fact("That length is", algorithm.name),
        fact("With the secret of today", algorithm.matches ? `it matches as HMAC with ${algorithm.name}` : "it does not match either"),
      ]
    : [],
});

export const notHex = (why: string, under: string | null): Finding => ({
  code: "not_hex",
  verdict: "Its signature is not made of hexadecimal digits alone.",
  mend: CORRECT,
  evidence: [fact("Why", why), ...(under === null ? [] : [fact("Without that", under)])],
});

export const bodyCut = (): Finding => ({
  code: "body_cut",
  verdict: "Its signature did not match, and only the beginning of its body was kept.",
  mend: "Let the platform send it again; then its smaller neighbours here tell what is wrong.",
  evidence: [],
});

export const verifies = (form: "raw" | "reserialized", secretId: string): Finding =>
  form === "raw"
    ? {
        code: "verifies",
        verdict: "It verifies now.",
        mend: "The secrets were mended since it came. Re-verify and admit it.",
        evidence: [fact("Matches", "the raw body"), fact("Secret", secretId)],
      }
    : {
        code: "verifies_reserialized",
        verdict: "It verifies now, over the re-serialized body.",
        mend: "The secrets were mended since it came. Re-verify and admit it.",
        evidence: [fact("Matches", "the body read and written again as JSON, without its white space"), fact("Secret", secretId)],
      };

export const secretTrimmed = (secret: KnownSecret, { words, ours }: SecretVariant): Finding => ({
  code: "secret_trimmed",
  verdict: `Signed with a secret that is ours but for its edges: ${words}.`,
  mend: ours
    ? `Give the source the secret without that (Settings, Sources, Rotate the secret). ${RESEND}`
    : "Take that away at the platform, where the secret was entered. Then let it send again.",
  evidence: secretFacts(secret),
});

export const secretDecoded = (secret: KnownSecret, { words }: SecretVariant): Finding => ({
  code: "secret_decoded",
  verdict: `Signed with our secret ${words}.`,
  mend: "The key is the secret's text as it stands. Let the sender use its characters, not the bytes they encode.",
  evidence: secretFacts(secret),
});

export const secretRetired = (secret: KnownSecret): Finding => ({
  code: "secret_retired",
  verdict: `Signed with the retired secret ${secret.id}.`,
  mend: `Set the source's present secret at the platform. If the old one is to go on, give it to the source again (Settings, Sources). ${RESEND}`,
  evidence: secretFacts(secret),
});

export const secretOfAnotherSource = (secret: KnownSecret): Finding => ({
  code: "secret_of_another_source",
  verdict: `Signed with the secret of another source: ${secret.source}.`,
  mend: `Send it to /webhooks/${secret.source}, or sign with this source's secret.`,
  evidence: secretFacts(secret),
});

export const notKeyed = (why: string): Finding => ({
  code: "not_keyed",
  verdict: "Its signature is a plain digest, not an HMAC.",
  mend: "Make an HMAC-SHA256 whose key is the source's secret.",
  evidence: [fact("Why", why)],
});

export const bodyEmpty = (): Finding => ({
  code: "body_empty",
  verdict: "Its body was lost on the way: it came empty.",
  mend: "Look what stands between the platform and here: a redirect or a proxy that drops bodies.",
  evidence: [fact("Received", "0 bytes")],
});

export const bodyChanged = (how: string, secret: KnownSecret): Finding => ({
  code: "body_changed",
  verdict: `Its body was changed on the way: ${how.charAt(0).toLowerCase()}${how.slice(1)}`,
  mend: "Find the proxy, gateway or framework that does this, and let it pass the bytes as they are. Then let the platform send it again.",
  evidence: secretFacts(secret),
});

export const noMatch = (digest: string, secrets: readonly KnownSecret[], body: Buffer): Finding => ({
  code: "no_match",
  verdict: "Its signature does not match the body.",
  mend: `Compare the platform's secret with this source's; if you can, set it here anew (Settings, Sources). ${RESEND} If the platform did not send this, there is nothing to do.`,
  evidence: [
    fact("Tried", "every secret of this workspace, also retired ones, and every known change of the body"),
    fact("It came with", `${digest.slice(0, SHOWN_DIGITS)}…`),
    fact("Expected", secrets.map(({ id, value }) => `${hmacStart(value, body)}… (${id})`).join(" or ")),
  ],
});

const hmacStart = (secret: string, body: Buffer) => createHmac("sha256", secret).update(body).digest("hex").slice(0, SHOWN_DIGITS);

function secretFacts({ id, source, standing, endedAt }: KnownSecret): Evidence {
  const words = { valid: "valid", retired: "retired", another_source: `of the source ${source}` }[standing];
  const ended = standing === "another_source" || endedAt === null ? [] : [fact("Retired at", endedAt.toISOString())];
  return [fact("Secret", `${id} (${words})`), ...ended];
}
