import { createHash, createHmac } from "node:crypto";
import type { z } from "zod/mini";
import type { hmacSettings } from "#lib/contracts/sources/scheme-settings";
import type { SignedPlaces } from "./tampered.ts";

/** The time at which all of them sign. */
export const FORM_NOW = Date.UTC(2026, 10, 23, 12);
const SECONDS = String(FORM_NOW / 1000);
const MS = String(FORM_NOW);
const RFC3339 = "2026-11-23T05:00:00-07:00";
const URL = "https://hooks.example.com/webhooks/sender";
const BODY = '{"event":"envelope-completed","data":{"envelopeId":"93be49ab"},"text":"Grüße"}';

type SignedRequest = { body: Buffer; headers: Record<string, string>; url: string };

/** A way to sign that no request of tests/support/senders.ts has: another place, text or number of signatures, or a key of another form. */
export type SignedForm = SignedPlaces & {
  settings: z.input<typeof hmacSettings>;
  secret: string;
  request: SignedRequest;
  partly?: true;
  id?: string;
};

type Algorithm = "sha1" | "sha256" | "sha512";
const hmac = (secret: string | Buffer, content: string, encoding: "hex" | "base64" = "hex", algorithm: Algorithm = "sha256") =>
  createHmac(algorithm, secret).update(content).digest(encoding);

const request = (headers: Record<string, string>, over: Partial<SignedRequest> = {}): SignedRequest => ({
  body: Buffer.from(BODY),
  headers,
  url: URL,
  ...over,
});

const HEX_KEY = "00112233445566778899aabbccddeeff";

const BOUNDARY = "------------------------d74496d66958873e";
/** A form as Dropbox Sign sends it: developers.hellosign.com/docs/events/walkthrough */
export const dropboxSignBody = (json: unknown, file = "") =>
  Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; name="json"\r\n\r\n${JSON.stringify(json)}\r\n${file}--${BOUNDARY}--\r\n`);
export const dropboxSignEvent = (apiKey: string, type = "signature_request_sent", time = SECONDS) => ({
  event: {
    event_time: time,
    event_type: type,
    event_hash: hmac(apiKey, `${time}${type}`),
    event_metadata: { reported_for_account_id: "a" },
  },
  signature_request: { signature_request_id: "fa5c8a0b", title: "NDA" },
});
const DROPBOX_SIGN = dropboxSignEvent("dropbox-sign-api-key");

const SIGNWELL = {
  event: { hash: hmac("signwell-webhook-id", `document_completed@${SECONDS}`), type: "document_completed", time: Number(SECONDS) },
  data: { object: { id: "1" } },
};

const define = <Name extends string>(forms: Record<Name, SignedForm>): Record<Name, SignedForm> => forms;

export const FORMS = define({
  DocuSign: {
    settings: { header: "x-docusign-signature-{n}", encoding: "base64" },
    secret: "docusign-connect-key-2",
    request: request({
      "x-docusign-signature-1": hmac("the key of somebody else", BODY, "base64"),
      "x-docusign-signature-2": hmac("docusign-connect-key-2", BODY, "base64"),
    }),
    headers: ["x-docusign-signature-2"],
  },
  PandaDoc: {
    settings: { query: "signature" },
    secret: "pandadoc-shared-key",
    request: request({}, { url: `${URL}?signature=${hmac("pandadoc-shared-key", BODY)}` }),
    query: [hmac("pandadoc-shared-key", BODY)],
  },
  "Dropbox Sign": {
    settings: {
      field: "json.event.event_hash",
      content: "{timestamp}{body:json.event.event_type}",
      timestampField: "json.event.event_time",
      timestampForm: "seconds",
      toleranceSeconds: 300,
    },
    secret: "dropbox-sign-api-key",
    request: request({}, { body: dropboxSignBody(DROPBOX_SIGN) }),
    partly: true,
    texts: [DROPBOX_SIGN.event.event_time, DROPBOX_SIGN.event.event_type, DROPBOX_SIGN.event.event_hash],
  },
  Box: {
    settings: {
      header: "box-signature-primary",
      moreHeaders: ["box-signature-secondary"],
      encoding: "base64",
      content: "{body}{timestamp}",
      timestampHeader: "box-delivery-timestamp",
      timestampForm: "rfc3339",
      toleranceSeconds: 600,
    },
    secret: "box-secondary-key",
    request: request({
      "box-delivery-timestamp": RFC3339,
      "box-signature-primary": hmac("another-key", `${BODY}${RFC3339}`, "base64"),
      "box-signature-secondary": hmac("box-secondary-key", `${BODY}${RFC3339}`, "base64"),
    }),
    headers: ["box-delivery-timestamp", "box-signature-secondary"],
  },
  SignWell: {
    settings: { field: "event.hash", content: "{body:event.type}@{timestamp}", timestampField: "event.time" },
    secret: "signwell-webhook-id",
    request: request({}, { body: Buffer.from(JSON.stringify(SIGNWELL)) }),
    partly: true,
    texts: [SIGNWELL.event.hash, SIGNWELL.event.type],
  },
  "HubSpot v1": {
    settings: { header: "x-hubspot-signature", method: "hash", content: "{secret}{body}" },
    secret: "hubspot-app-secret",
    request: request({ "x-hubspot-signature": createHash("sha256").update(`hubspot-app-secret${BODY}`).digest("hex") }),
  },
  "HubSpot v3": {
    settings: {
      header: "x-hubspot-signature-v3",
      encoding: "base64",
      content: "{method}{url}{body}{timestamp}",
      timestampHeader: "x-hubspot-request-timestamp",
      timestampForm: "milliseconds",
      toleranceSeconds: 300,
    },
    secret: "hubspot-app-secret",
    request: request(
      {
        "x-hubspot-request-timestamp": MS,
        "x-hubspot-signature-v3": hmac("hubspot-app-secret", `POST${URL}?portal=7${BODY}${MS}`, "base64"),
      },
      { url: `${URL}?portal=7` },
    ),
    query: ["portal=7"],
  },
  "a key in hexadecimal, SHA-512": {
    settings: { header: "x-signature", key: "hex", algorithm: "sha512", content: "{id}.{body}", idHeader: "x-id" },
    secret: HEX_KEY,
    id: "msg_1",
    request: request({ "x-id": "msg_1", "x-signature": hmac(Buffer.from(HEX_KEY, "hex"), `msg_1.${BODY}`, "hex", "sha512") }),
  },
});
