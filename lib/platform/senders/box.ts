import { hmac, type Template } from "../schemes/senders/template.ts";

export const box: Template = {
  title: "Box and Box Sign",
  scheme: hmac(
    {
      header: "box-signature-primary",
      moreHeaders: ["box-signature-secondary"],
      encoding: "base64",
      content: "{body}{timestamp}",
      timestampHeader: "box-delivery-timestamp",
      timestampForm: "rfc3339",
      toleranceSeconds: 600,
    },
    // Its ID is signed; Box asks to refuse what is older.
    { idIsSigned: false },
  ),
  reading: { id: ["id"], type: ["trigger"], created: ["created_at"] },
  records: "documents",
  record: {
    kind: "document",
    id: "source.id",
    types: ["FILE.*", "SIGN_REQUEST.*"],
    title: "source.name",
    states: {
      "FILE.UPLOADED": "uploaded",
      "SIGN_REQUEST.SIGNATURE_REQUESTED": "sent",
      "SIGN_REQUEST.SIGNER_SIGNED": "signed",
      "SIGN_REQUEST.COMPLETED": "completed",
      "SIGN_REQUEST.DECLINED": "declined",
      "SIGN_REQUEST.EXPIRED": "expired",
      "SIGN_REQUEST.ERROR_FINALIZING": "error",
      "FILE.DELETED": "deleted",
    },
    facts: { sizeBytes: "source.size", signRequest: "additional_info.sign_request_id", changedBy: "created_by.login" },
  },
  alsoSends: ["box-delivery-id", "box-signature-version", "box-signature-algorithm"],
  issuesSecret: true,
  secretHint: "Developer Console > your app > Webhooks > Manage signature keys: the primary or the secondary key.",
  retries: "Retries up to 10 times, at growing intervals.",
  answerWithin: 30,
  docsUrl: "https://developer.box.com/guides/webhooks/v2/signatures-v2",
  proof: "verifier",
  facts: ["box-node-sdk (validateWebhookMessage)", "https://developer.box.com/guides/box-sign/webhooks"],
  unchecked: ["when it tries again"],
};
