import { hmac, type Template } from "../schemes/senders/template.ts";

export const notion: Template = {
  title: "Notion",
  scheme: hmac({ header: "x-notion-signature", prefix: "sha256=" }, { idIsSigned: true }),
  challenges: [
    { asked: "post", when: [{ place: "verification_token" }], learning: { secret: "verification_token" }, answer: { status: 200 } },
  ],
  reading: { id: ["id"], type: ["type"], created: ["timestamp"] },
  records: "generic",
  record: {
    kind: "page",
    id: "entity.id",
    types: ["page.*"],
    states: {
      "page.created": "created",
      "page.content_updated": "updated",
      "page.deleted": "deleted",
      "page.undeleted": "restored",
      "page.locked": "locked",
    },
    facts: { workspace: "workspace_name" },
  },
  issuesSecret: true,
  secretHint:
    "The verification token, which its first request brings: leave it empty, then enter the token of the source's page at Notion.",
  retries: "Up to 8 retries within 24 hours.",
  retryHours: 24,
  docsUrl: "https://developers.notion.com/reference/webhooks",
  proof: "verifier",
  facts: ["@notionhq/client (verifyWebhookSignature)", "https://developers.notion.com/reference/webhooks"],
  unchecked: ["when it tries again"],
};
