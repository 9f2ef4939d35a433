import type { KnownTemplate } from "#lib/contracts/sources/templates";
import {
  type At,
  basic,
  hmac,
  inHeader,
  iso,
  isoSeconds,
  json,
  KEY,
  type KnownSender,
  multipart,
  NETWORK,
  seconds,
  secretIn,
} from "./made-requests.ts";

const docusign = (retryCount: number) => (at: At) => ({
  event: "envelope-completed",
  apiVersion: "v2.1",
  uri: "/restapi/v2.1/accounts/acc/envelopes/5b0e",
  retryCount,
  configurationId: 10418598,
  generatedDateTime: iso(at),
  data: { accountId: "acc", userId: "usr", envelopeId: "5b0e", envelopeSummary: { status: "completed", emailSubject: "Lease 7" } },
});

/** Platforms of documents, signatures, forms and their recognition. */
export const DOCUMENT_SENDERS = {
  docusign: { secret: KEY, ...json(docusign(0), inHeader("x-docusign-signature-1", "base64"), docusign(2)) },
  pandadoc: {
    secret: KEY,
    make: (at) => {
      const body = JSON.stringify([
        {
          event: "document_state_changed",
          data: { id: "msFYActMfJHqNTKH8YSvF1", name: "Offer 12", status: "document.completed", date_modified: iso(at) },
        },
      ]);
      return { body, headers: {}, query: `signature=${hmac("sha256", KEY, body, "hex")}` };
    },
  },
  "dropbox-sign": {
    secret: KEY,
    make: (at) => {
      const [event_time, event_type] = [seconds(at), "signature_request_all_signed"];
      const event = {
        event_time,
        event_type,
        event_hash: hmac("sha256", KEY, event_time + event_type, "hex"),
        event_metadata: { related_signature_id: null },
      };
      return multipart({
        json: JSON.stringify({ event, account_guid: "63522885", signature_request: { signature_request_id: "fa5c8a0b", title: "NDA" } }),
      });
    },
  },
  "acrobat-sign": {
    secret: "UB7E5BXCXY",
    ...json(
      (at) => ({
        webhookId: "w1",
        webhookNotificationId: "n-77",
        event: "AGREEMENT_WORKFLOW_COMPLETED",
        eventDate: isoSeconds(at),
        agreement: { id: "CBJCHBCA", name: "Lease", status: "SIGNED" },
      }),
      () => ({ "x-adobesign-clientid": "UB7E5BXCXY" }),
    ),
  },
  box: {
    secret: KEY,
    ...json(
      (at) => ({
        type: "webhook_event",
        id: "0f51ad9a",
        created_at: isoSeconds(at),
        trigger: "SIGN_REQUEST.COMPLETED",
        webhook: { id: "7" },
        source: { id: "73835521473", type: "file", name: "Lease.pdf" },
        additional_info: { sign_request_id: "s1" },
      }),
      (body, at) => ({
        "box-signature-version": "1",
        "box-signature-algorithm": "HmacSHA256",
        "box-delivery-timestamp": isoSeconds(at),
        "box-signature-secondary": hmac("sha256", KEY, body + isoSeconds(at), "base64"),
      }),
    ),
  },
  signnow: {
    secret: KEY,
    ...json(
      (at) => ({
        meta: { timestamp: Number(seconds(at)), event: "document.complete", environment: "https://api.signnow.com", initiator_id: "u1" },
        content: { document_id: "d-12", document_name: "Lease", user_id: "u1" },
      }),
      inHeader("x-signnow-signature", "base64"),
    ),
  },
  signwell: {
    secret: KEY,
    ...json(
      (at) => ({
        event: {
          hash: hmac("sha256", KEY, `document_completed@${seconds(at)}`, "hex"),
          time: Number(seconds(at)),
          type: "document_completed",
        },
        data: { object: { id: "d-13", name: "NDA", status: "Completed" } },
      }),
      () => ({}),
    ),
  },
  boldsign: {
    secret: KEY,
    ...json(
      (at) => ({
        event: { id: "e-14", created: Number(seconds(at)), eventType: "Completed", clientId: null, environment: "Live" },
        data: { object: "document", documentId: "d-14", messageTitle: "Offer", status: "Completed" },
      }),
      (body, at) => ({
        "x-boldsign-event": "Completed",
        "x-boldsign-signature": `t=${seconds(at)}, s0=${hmac("sha256", KEY, `${seconds(at)}.${body}`, "hex")}`,
      }),
    ),
  },
  yousign: {
    secret: KEY,
    ...json(
      (at) => ({
        event_id: "evt-15",
        event_name: "signature_request.done",
        event_time: seconds(at),
        subscription_id: "s",
        sandbox: false,
        data: { signature_request: { id: "sr-15", status: "done", name: "Contrat" } },
      }),
      inHeader("x-yousign-signature-256", "hex", "sha256="),
    ),
  },
  "zoho-sign": {
    secret: KEY,
    ...json(
      (at) => ({
        notifications: { operation_type: "RequestCompleted", performed_at: at.now, performed_by_email: "a@example.com" },
        requests: { request_id: "2000000002175", request_name: "NDA", request_status: "completed", owner_email: "b@example.com" },
      }),
      inHeader("x-zs-webhook-signature", "base64"),
    ),
  },
  signable: {
    secret: KEY,
    ...json(
      (at) => ({ action: "signed-envelope-complete", action_date: isoSeconds(at), envelope_fingerprint: "f-17", envelope_title: "Lease" }),
      inHeader("signature", "base64"),
    ),
  },
  documenso: {
    secret: KEY,
    ...json(
      (at) => ({
        event: "DOCUMENT_COMPLETED",
        payload: { id: 18, title: "Lease", status: "COMPLETED", teamId: 2 },
        createdAt: iso(at),
        webhookEndpoint: at.url,
      }),
      secretIn("x-documenso-secret"),
    ),
  },
  docuseal: {
    secret: KEY,
    ...json(
      (at) => ({
        event_type: "submission.completed",
        timestamp: iso(at),
        data: { id: 19, status: "completed", template: { id: 3, name: "Lease" } },
      }),
      secretIn("x-docuseal-secret"),
    ),
  },
  formstack: {
    secret: KEY,
    make: () => {
      const body = "FormID=1234&UniqueID=20&Name=Mara";
      return { body, headers: { "x-fs-signature": `sha256=${hmac("sha256", KEY, body, "hex")}` } };
    },
  },
  jotform: {
    secret: "",
    settings: NETWORK,
    remoteAddress: "10.1.2.3",
    make: () => multipart({ formID: "9", submissionID: "5021", formTitle: "Order", rawRequest: JSON.stringify({ q1_name: "Mara" }) }),
  },
  typeform: {
    secret: KEY,
    ...json(
      (at) => ({
        event_id: "01H",
        event_type: "form_response",
        form_response: { form_id: "f", token: "t-22", submitted_at: isoSeconds(at), definition: { title: "Order" } },
      }),
      inHeader("typeform-signature", "base64", "sha256="),
    ),
  },
  tally: {
    secret: KEY,
    ...json(
      (at) => ({
        eventId: "e-23",
        eventType: "FORM_RESPONSE",
        createdAt: iso(at),
        data: { responseId: "r-23", formId: "f", formName: "Order", fields: [] },
      }),
      inHeader("tally-signature", "base64"),
    ),
  },
  rossum: {
    secret: KEY,
    ...json(
      (at) => ({
        request_id: "r-24",
        timestamp: iso(at),
        event: "annotation_status",
        action: "changed",
        annotation: { id: 24, status: "exported" },
        document: { original_file_name: "invoice.pdf", mime_type: "application/pdf" },
      }),
      inHeader("x-rossum-signature-sha256", "hex", "sha256="),
    ),
  },
  mindee: {
    secret: KEY,
    ...json(
      () => ({
        inference: {
          id: "inf-25",
          model: { id: "m" },
          file: { name: "invoice.pdf", page_count: 2, mime_type: "application/pdf" },
          result: { fields: {} },
        },
      }),
      inHeader("x-mindee-hmac-signature", "hex"),
    ),
  },
  nanonets: {
    secret: "",
    settings: NETWORK,
    remoteAddress: "10.1.2.3",
    ...json(
      () => ({ message: "Success", result: [{ message: "Success", input: "invoice.pdf", prediction: [], page: 0, id: "n-26" }] }),
      () => ({}),
    ),
  },
  parseur: { secret: KEY, ...json(() => ({ DocumentID: "p-27", Subject: "Invoice 7", Total: 12 }), secretIn("x-parseur-secret")) },
  docparser: {
    secret: "user:the-password",
    ...json(
      (at) => ({ document_id: "dp-28", file_name: "invoice.pdf", page_count: 1, processed_at: isoSeconds(at) }),
      basic("user:the-password"),
    ),
  },
  "paperless-ngx": {
    secret: KEY,
    ...json(
      (at) => ({
        doc_url: "https://paperless.example.com/documents/29/",
        doc_title: "Invoice",
        modified: isoSeconds(at),
        correspondent: "ACME",
      }),
      secretIn("x-paperless-secret"),
    ),
  },
  "google-drive": {
    secret: KEY,
    make: () => ({
      body: "",
      headers: {
        "x-goog-channel-id": "ch-30",
        "x-goog-channel-token": KEY,
        "x-goog-message-number": "10",
        "x-goog-resource-id": "res",
        "x-goog-resource-state": "update",
        "x-goog-resource-uri": "https://www.googleapis.com/drive/v3/files/abc",
      },
    }),
  },
  notion: {
    secret: KEY,
    ...json(
      (at) => ({
        id: "n-31",
        timestamp: iso(at),
        type: "page.created",
        entity: { id: "pg-31", type: "page" },
        workspace_name: "ACME",
        data: {},
      }),
      inHeader("x-notion-signature", "hex", "sha256="),
    ),
  },
  airtable: {
    secret: Buffer.from(KEY).toString("base64"),
    ...json(
      (at) => ({ base: { id: "app1" }, webhook: { id: "ach1" }, timestamp: iso(at) }),
      inHeader("x-airtable-content-mac", "hex", "hmac-sha256="),
    ),
  },
} satisfies Partial<Record<KnownTemplate, KnownSender>>;
