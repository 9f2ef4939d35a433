import { createHmac } from "node:crypto";
import { KNOWN_SENDERS, type KnownName } from "./known-senders/known-senders.ts";
import type { Made } from "./known-senders/made-requests.ts";

type Step = "sent" | "viewed" | "completed";
type At = { url: string; now: number; tries: number };
type Contract = { words: Record<Step, string>; body: (word: string, at: At) => unknown };

const iso = ({ now }: At) => new Date(now).toISOString();
const KEY = KNOWN_SENDERS.docusign.secret;
const hmac = (content: string, encoding: "hex" | "base64") => createHmac("sha256", KEY).update(content).digest(encoding);

/** The same contract, `contract-1`, at three platforms: their words for its states, and their events. */
export const SIGNERS = {
  docusign: {
    words: { sent: "envelope-sent", viewed: "envelope-delivered", completed: "envelope-completed" },
    body: (event, at) => ({
      event,
      apiVersion: "v2.1",
      retryCount: at.tries,
      generatedDateTime: iso(at),
      data: {
        accountId: "acc",
        envelopeId: "contract-1",
        envelopeSummary: { emailSubject: "Lease of 7 Mill Lane", sender: { email: "mara@example.com" } },
      },
    }),
  },
  pandadoc: {
    words: { sent: "document.sent", viewed: "document.viewed", completed: "document.completed" },
    body: (status, at) => [
      { event: "document_state_changed", data: { id: "contract-1", name: "Lease of 7 Mill Lane", status, date_modified: iso(at) } },
    ],
  },
  "dropbox-sign": {
    words: { sent: "signature_request_sent", viewed: "signature_request_viewed", completed: "signature_request_all_signed" },
    body: (event_type, at) => {
      const event_time = String(at.now / 1000);
      return {
        event: { event_time, event_type, event_hash: hmac(event_time + event_type, "hex"), event_metadata: { related_signature_id: null } },
        account_guid: "acc",
        signature_request: {
          signature_request_id: "contract-1",
          title: "Lease of 7 Mill Lane",
          requester_email_address: "mara@example.com",
        },
      };
    },
  },
} satisfies Partial<Record<KnownName, Contract>>;

/** What the platform sends at a step; `tries` counts the tries before. */
export function contractOf(name: keyof typeof SIGNERS, step: Step, at: At): Made {
  const { words, body: of }: Contract = SIGNERS[name];
  const body = JSON.stringify(of(words[step], at));
  switch (name) {
    case "docusign":
      return { body, headers: { "x-docusign-signature-1": hmac(body, "base64") } };
    case "pandadoc":
      return { body, headers: {}, query: `signature=${hmac(body, "hex")}` };
    case "dropbox-sign":
      return {
        body: `--frontier\r\nContent-Disposition: form-data; name="json"\r\n\r\n${body}\r\n--frontier--\r\n`,
        headers: { "content-type": "multipart/form-data; boundary=frontier" },
      };
  }
}
