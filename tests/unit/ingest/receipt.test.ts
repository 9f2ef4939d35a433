import { expect, it } from "vitest";
import { keptHeaders } from "#lib/ingest/receipt";

it("masks every header that carries a secret of the transport, and keeps the signature, which people compare", () => {
  const secret = [
    "Authorization",
    "Proxy-Authorization",
    "Cookie",
    "Set-Cookie",
    "X-Api-Key",
    "Api-Key",
    "X-Auth-Token",
    "X-Client-Secret",
  ];
  const plain = ["X-Webhook-Signature", "Content-Type", "User-Agent", "X-Request-Id", "Traceparent"];
  const kept = keptHeaders(Object.fromEntries([...secret, ...plain].map((name) => [name, "value"])));
  for (const name of secret) expect(kept[name.toLowerCase()], name).toBe("[masked]");
  for (const name of plain) expect(kept[name.toLowerCase()], name).toBe("value");
});
