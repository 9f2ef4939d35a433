import type { UnverifiedDiagnosis } from "./diagnosis.ts";

// Texts that differ from those of the platform's diagnoses.

type Looked = { headers: readonly string[]; proof: string };

export const missing = (sender: string, { headers, proof }: Looked, other: string | null): UnverifiedDiagnosis =>
  other === null
    ? {
        code: "header_missing",
        verdict: "It has no signature.",
        fix: `If ${sender} sent it, check whether a proxy strips ${proof}. Otherwise it is probably a scanner; safe to ignore.`,
        evidence: [{ label: "Looked for", value: headers.join(", ") || proof }],
      }
    : {
        code: "other_sender",
        about: other,
        verdict: `It looks like a request from ${other}, but this source is for ${sender}.`,
        fix: `Send it to a source for ${other} (Settings > Sources and secrets > Add source).`,
        evidence: [{ label: "Looked for", value: headers.join(", ") || proof }],
      };

export const repeated = (sender: string, proof: string): UnverifiedDiagnosis => ({
  code: "header_repeated",
  verdict: "It has more than one signature.",
  fix: `${sender} sends ${proof} once. Check whether a proxy adds its own.`,
  evidence: [],
});

export const malformed = (sender: string, proof: string): UnverifiedDiagnosis => ({
  code: "malformed",
  verdict: `Its signature isn't in the format that ${sender} uses.`,
  fix: `Check that ${proof} reaches Signalbox as ${sender} sent it, and that this source is for the right sender.`,
  evidence: [{ label: "Looked for", value: proof }],
});

export const tokenWrong = (sender: string, proof: string): UnverifiedDiagnosis => ({
  code: "no_match",
  verdict: "It contains a different secret from this source's.",
  fix: `Enter this source's secret at the sender (${sender}), then send it again. The secret that was sent is not stored, so this request can't be released.`,
  evidence: [{ label: "Looked for", value: proof }],
});

export const proofMasked = (header: string): UnverifiedDiagnosis => ({
  code: "no_match",
  about: header,
  verdict: `It can't be verified again: its header ${header} is not kept.`,
  fix: "It was masked when the request arrived: by an earlier version, or because the source's scheme didn't name it then. Or the vault key that it was sealed with was discarded. Have the sender send the request again.",
  evidence: [{ label: "Masked", value: header }],
});

export const networkUnknown = (address: string | null): UnverifiedDiagnosis => ({
  code: "network_unknown",
  verdict: "It comes from a network that isn't listed in this source.",
  fix: "If the sender is yours, add its network to the source. Otherwise it is probably a scanner; safe to ignore.",
  evidence: address === null ? [] : [{ label: "Received from", value: address }],
});

export const certificateUnknown = (url: string): UnverifiedDiagnosis => ({
  code: "no_match",
  verdict: "It is signed with a certificate that Signalbox doesn't have yet.",
  fix: "The receiver answered 503 and is fetching it. Once the sender sends the message again, it can be verified.",
  evidence: [{ label: "Looked for", value: url }],
});

export const expired = (sender: string, secretId: string): UnverifiedDiagnosis => ({
  code: "clock",
  about: secretId,
  verdict: "Its signature is valid, but its timestamp was too far from the time of receipt.",
  fix: `Check the clocks of this machine and of ${sender}. If the request was delayed, send it again from ${sender}.`,
  evidence: [],
});

export const urlChanged = (signed: string, ours: string): UnverifiedDiagnosis => ({
  code: "url_changed",
  about: signed.split("?")[0] ?? signed,
  verdict: "Signed for another URL.",
  fix: "Set WEBHOOK_URL (or APP_URL) to the URL that the sender posts to, or give the sender this source's URL as shown in Settings.",
  evidence: [
    { label: "Signed for", value: signed },
    { label: "Received at", value: ours },
  ],
});

export const noMatch = (sender: string, secretHint: string): UnverifiedDiagnosis => ({
  code: "no_match",
  verdict: "Its signature does not match the body.",
  fix: `Compare this source's secret with ${sender}'s: ${secretHint} If ${sender} did not send this, there is nothing to do.`,
  evidence: [
    { label: "Checked against", value: "every secret of this workspace, including retired ones, and every known change to the body" },
  ],
});
