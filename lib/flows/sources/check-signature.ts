import type * as z from "zod/mini";
import type { SignatureCheck, signatureCheckBody } from "#lib/contracts/auth/signature-checks";
import { readHeaderForm, SECRET_NOT_KEPT } from "#lib/platform/diagnosis/header-form";
import { diagnoseSignature } from "#lib/platform/diagnosis/signature-diagnosis";
import { readEnvelope } from "#lib/platform/envelope";
import { NO_MAPPING } from "#lib/platform/field-names";
import { SIGNATURE_HEADER, signBody } from "#lib/platform/signature";

/** Returns the receiver's answer to this body and signature with the given secret. Pure: reads and stores nothing. */
export function checkSignature({ body, bodyBase64, header, secret }: z.infer<typeof signatureCheckBody>): SignatureCheck {
  const bytes = bodyBase64 === undefined ? Buffer.from(body ?? "") : Buffer.from(bodyBase64, "base64");
  const given = withoutName(header);
  const known = { id: "the secret you entered", value: secret, state: "valid" as const, source: "", endedAt: null };
  const { code, verdict, fix, evidence } = diagnoseSignature({
    body: bytes,
    cut: false,
    header: given === secret ? SECRET_NOT_KEPT : given,
    secrets: [known],
  });
  const verifies = code === "verifies" || code === "verifies_reserialized";
  const reading = verifies ? readEnvelope(bytes, NO_MAPPING) : null;
  return {
    verifies,
    status: reading === null ? 401 : reading.outcome === "envelope" ? 200 : 202,
    code,
    verdict: VERDICTS[code] ?? verdict,
    fix: reading === null ? (FIXES[code] ?? fix) : reading.outcome === "envelope" ? ACCEPTED : `${NO_EVENT} ${reading.detail}`,
    evidence: evidence.filter(({ label }) => !OF_STORED_REQUESTS.has(label)),
    expected: signBody(bytes, secret),
    received: digestIn(given),
  };
}

const ACCEPTED = "Signalbox would answer 200 and store it as an event.";
const NO_EVENT = "Signalbox would answer 202 and quarantine it, because it is not an event.";

/** Replace the diagnosis's own verdicts, which are about a stored request and the secrets of a source. */
const VERDICTS: Partial<Record<SignatureCheck["code"], string>> = {
  verifies: "The signature is valid.",
  verifies_reserialized: "The signature is valid for the body re-serialized as JSON without whitespace.",
  secret_decoded: "Signed with this secret, decoded: the key was not the secret's text.",
  body_empty: "The body is empty, and the signature is not that of an empty body.",
};
const FIXES: Partial<Record<SignatureCheck["code"], string>> = {
  secret_trimmed: "Use the same text for both secrets, without quotes, line breaks or spaces around it.",
  secret_decoded: "The key is the secret's text as it is. Sign with its characters, not with the bytes that they encode.",
  body_empty: "Paste the body as it was sent. If it arrived empty, a redirect or a proxy dropped it.",
  body_changed: "Sign and send the same bytes: sign the body as it leaves the sender, after the last step that writes JSON.",
  no_match: "Check that both sides use the same secret, and that the body is the one that was signed, byte for byte.",
};
const OF_STORED_REQUESTS: ReadonlySet<string> = new Set(["Stored", "Secret", "Checked against", "Received signature", "Expected"]);

/** Removes the name of a header, which people copy along. */
function withoutName(header: string): string {
  const name = new RegExp(`^\\s*${SIGNATURE_HEADER}\\s*:\\s*`, "i");
  return name.test(header) ? header.replace(name, "").trim() : header;
}

function digestIn(header: string): string | null {
  const form = readHeaderForm(header);
  const digest = form.form === "hex" || form.form === "prefix" || form.form === "base64" ? form.digest : null;
  return digest === null ? null : digest.toLowerCase();
}
