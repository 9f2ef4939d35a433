import { expect, test } from "vitest";
import { webhookSource } from "#lib/processes/server/webhook-handler";

test.each([
  ["/webhooks/platform", "platform"],
  ["/webhooks/platform/", "platform"],
  ["/webhooks/platform?a=1", "platform"],
  ["/webhooks/a%20b", "a b"],
  ["/webhooks/%ff", "%ff"],
  ["/webhooks/", ""],
  ["/webhooks", ""],
  ["/webhooks/a/b", null],
  ["/other/webhooks/a", null],
  [undefined, null],
])("the path %j names the source %j", (path, source) => {
  expect(webhookSource(path)).toBe(source);
});
