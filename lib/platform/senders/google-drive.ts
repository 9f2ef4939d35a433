import { type Template, token } from "../schemes/senders/template.ts";

export const googleDrive: Template = {
  title: "Google Drive and Workspace (push notifications)",
  scheme: token("x-goog-channel-token"),
  reading: {
    body: "headers",
    id: ["{header:x-goog-channel-id}.{header:x-goog-message-number}"],
    type: ["header:x-goog-resource-state"],
  },
  records: "none",
  alsoSends: ["x-goog-resource-id", "x-goog-resource-uri", "x-goog-changed", "x-goog-channel-expiration"],
  secretHint: "The token that you give when you make the channel (files.watch, changes.watch).",
  retries: "Retries answers of 500, 502, 503 and 504 at growing intervals.",
  docsUrl: "https://developers.google.com/workspace/drive/api/guides/push",
  unchecked: ["when it tries again"],
};
