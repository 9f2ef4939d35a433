import { createHmac } from "node:crypto";
import type { Diagnosis } from "#lib/contracts/quarantine";
import { SIGNATURE_HEADER } from "#lib/platform/signature";
import type { SecretVariant } from "./variants.ts";

/** Raised when diagnoses change: stored ones of an earlier version are made again. A test compares the texts. */
export const DIAGNOSIS_VERSION = 5;

/** Only `valid` secrets can verify a request; the others explain. */
export type KnownSecret = {
  id: string;
  value: string;
  state: "valid" | "retired" | "another_source";
  source: string;
  endedAt: Date | null;
};

export type UnverifiedRequest = {
  body: Uint8Array;
  /** Only a part of the body was kept: its signature can't be checked. */
  cut: boolean;
  header: string | undefined;
  secrets: readonly KnownSecret[];
  asked?: string;
  /** The receiver's text when it rejected the request, with the whole body at hand. */
  told?: string;
};

/** Without `verifiesNow`, which also depends on the envelope. */
export type UnverifiedDiagnosis = Omit<Diagnosis, "verifiesNow" | "about"> & { about?: string };

type Evidence = UnverifiedDiagnosis["evidence"];
const fact = (label: string, value: string): Evidence[number] => ({ label, value });

/** Enough of a digest to tell two apart; never enough to sign with. */
const SHOWN_DIGITS = 8;

const CORRECT = "Send the HMAC-SHA256 of the raw body as exactly 64 hexadecimal digits.";
const RESEND = "Then send it again from the platform, or verify it again and release it here.";

export const headerMissing = (): UnverifiedDiagnosis => ({
  code: "header_missing",
  verdict: "It has no signature.",
  fix: `If the platform sent it, check whether a proxy strips the header ${SIGNATURE_HEADER}. Otherwise it is probably a scanner; safe to ignore.`,
  evidence: [fact("Looked for", `the header ${SIGNATURE_HEADER}`)],
});

export const secretSent = (): UnverifiedDiagnosis => ({
  code: "secret_sent",
  verdict: "It contains the signing secret itself in place of a signature.",
  fix: `The secret is exposed: rotate it. ${CORRECT}`,
  evidence: [fact("Stored", "The header without the secret.")],
});

export const headerRepeated = (count: number, verifying: number): UnverifiedDiagnosis => ({
  code: "header_repeated",
  verdict: `It has ${count} signatures.`,
  fix: `Send the header ${SIGNATURE_HEADER} once. Check whether a proxy adds its own.`,
  evidence: [fact("Verifying", `${verifying} of ${count}`)],
});

export const prefix = (before: string, under: string | null): UnverifiedDiagnosis => ({
  code: "prefix",
  verdict: `Its signature has a prefix: ${before}`,
  fix: CORRECT,
  evidence: [fact("Without it", under ?? "The rest is not an HMAC-SHA256 digest.")],
});

export const base64 = (how: string, under: string | null): UnverifiedDiagnosis => ({
  code: "base64",
  verdict: "Its signature is base64, not hexadecimal.",
  fix: CORRECT,
  evidence: [fact("Read as", how), fact("As hexadecimal", under ?? "It is not an HMAC-SHA256 digest.")],
});

export const wrongLength = (length: number, algorithm: { name: string; matches: boolean } | null): UnverifiedDiagnosis => ({
  code: "wrong_length",
  verdict: `Its signature has ${length} hexadecimal digits instead of 64.`,
  fix: algorithm
    ? `It was probably computed with ${algorithm.name}. ${CORRECT}`
    : `Check whether it is truncated or repeated in transit. ${CORRECT}`,
  evidence: algorithm
    ? [
        fact("Length matches", algorithm.name),
        fact("With the current secret", algorithm.matches ? `it matches as HMAC with ${algorithm.name}` : "it does not match either"),
      ]
    : [],
});

export const notHex = (why: string, under: string | null): UnverifiedDiagnosis => ({
  code: "not_hex",
  verdict: "Its signature is not hexadecimal.",
  fix: CORRECT,
  evidence: [fact("Why", why), ...(under === null ? [] : [fact("Without that", under)])],
});

export const bodyCut = (told?: string): UnverifiedDiagnosis => ({
  code: "body_cut",
  verdict: "Its signature did not match, and only the beginning of its body was stored.",
  fix: "Send it again from the platform. A smaller quarantined request from the same source may show the cause.",
  evidence: told === undefined ? [] : [fact("When it arrived", told)],
});

export const verifies = (form: "raw" | "reserialized", secretId: string): UnverifiedDiagnosis =>
  form === "raw"
    ? {
        code: "verifies",
        about: secretId,
        verdict: "It verifies now.",
        fix: "The secrets were fixed since it arrived. Verify it again and release it.",
        evidence: [fact("Matches", "the raw body"), fact("Secret", secretId)],
      }
    : {
        code: "verifies_reserialized",
        about: secretId,
        verdict: "It verifies now, over the re-serialized body.",
        fix: "The secrets were fixed since it arrived. Verify it again and release it.",
        evidence: [fact("Matches", "the body re-serialized as JSON without whitespace"), fact("Secret", secretId)],
      };

export const secretTrimmed = (secret: KnownSecret, { words, ours }: SecretVariant): UnverifiedDiagnosis => ({
  code: "secret_trimmed",
  about: secret.id,
  verdict: `Signed with almost the right secret: ${words}.`,
  fix: ours
    ? `Set the source's secret to the value without that (Settings > Sources and secrets > Rotate secret). ${RESEND}`
    : "Correct the secret on the platform, then send it again from there.",
  evidence: secretFacts(secret),
});

export const secretDecoded = (secret: KnownSecret, { words }: SecretVariant): UnverifiedDiagnosis => ({
  code: "secret_decoded",
  about: secret.id,
  verdict: `Signed with our secret ${words}.`,
  fix: "The key is the secret's text as is. The sender must use its characters, not the bytes they encode.",
  evidence: secretFacts(secret),
});

export const secretRetired = (secret: KnownSecret): UnverifiedDiagnosis => ({
  code: "secret_retired",
  about: secret.id,
  verdict: `Signed with the retired secret ${secret.id}.`,
  fix: "Set the source's current secret on the platform. Until then, accept the retired one again in Quarantine, then release the requests signed with it.",
  evidence: secretFacts(secret),
});

export const secretOfAnotherSource = (secret: KnownSecret): UnverifiedDiagnosis => ({
  code: "secret_of_another_source",
  about: secret.id,
  verdict: `Signed with the secret of another source: ${secret.source}.`,
  fix: `Send it to /webhooks/${secret.source}, or sign with this source's secret.`,
  evidence: secretFacts(secret),
});

export const notKeyed = (why: string): UnverifiedDiagnosis => ({
  code: "not_keyed",
  verdict: "Its signature is a plain digest, not an HMAC.",
  fix: "Compute an HMAC-SHA256 with the source's secret as key.",
  evidence: [fact("Why", why)],
});

export const bodyEmpty = (): UnverifiedDiagnosis => ({
  code: "body_empty",
  verdict: "Its body was lost in transit: it arrived empty.",
  fix: "Check for a redirect or a proxy between the platform and Signalbox that drops request bodies.",
  evidence: [fact("Received", "0 bytes")],
});

export const bodyChanged = (how: string, secret: KnownSecret): UnverifiedDiagnosis => ({
  code: "body_changed",
  about: how,
  verdict: `Its body was changed in transit: ${how.charAt(0).toLowerCase()}${how.slice(1)}`,
  fix: "Find the proxy, gateway or framework that does this and make it forward the bytes unchanged. Then send it again from the platform.",
  evidence: secretFacts(secret),
});

export const notWhatWasSigned = (difference: string): UnverifiedDiagnosis => ({
  code: "body_changed",
  about: "Its JSON says more than what was signed.",
  verdict: `Its signature belongs to JSON of the same value, but the body says more than what was signed: ${difference}.`,
  fix: "Make the sender send the bytes that it signs. If it didn't send this, somebody has a copy of one of its webhooks and added to it; nothing of it was applied.",
  evidence: [fact("Difference", difference)],
});

const ALL_SECRETS = "every secret of this workspace, including retired ones";

export const noMatch = (digest: string, secrets: readonly KnownSecret[], body: Buffer, asked = ALL_SECRETS): UnverifiedDiagnosis => ({
  code: "no_match",
  verdict: "Its signature does not match the body.",
  fix: `Compare the platform's secret with this source's; if in doubt, set it again (Settings > Sources and secrets). ${RESEND} If the platform did not send this, there is nothing to do.`,
  evidence: [
    fact("Checked against", `${asked}, and every known change to the body`),
    digestFact("Received signature", digest.toLowerCase().slice(0, SHOWN_DIGITS)),
    ...secrets.map(({ id, value }) => digestFact(`Expected (${id})`, hmacStart(value, body))),
  ],
});

const digestFact = (label: string, digest: string) => ({ ...fact(label, `${digest}…`), digest });

const hmacStart = (secret: string, body: Buffer) => createHmac("sha256", secret).update(body).digest("hex").slice(0, SHOWN_DIGITS);

function secretFacts({ id, source, state, endedAt }: KnownSecret): Evidence {
  const words = { valid: "valid", retired: "retired", another_source: `of the source ${source}` }[state];
  const ended = state === "another_source" || endedAt === null ? [] : [fact("Retired at", endedAt.toISOString())];
  return [fact("Secret", `${id} (${words})`), ...ended];
}
