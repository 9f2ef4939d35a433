import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { post } from "#lib/sandbox/webhooks/queue-webhooks";

test("of an answer without end the sandbox reads its beginning and leaves", async () => {
  let sent = 0;
  const server = createServer((_request, response) => {
    const more = () => {
      while (!response.destroyed && sent < 200_000_000 && response.write(Buffer.alloc(65_536, "a"))) sent += 65_536;
      if (sent >= 200_000_000) response.end();
      else if (!response.destroyed) response.once("drain", more);
    };
    more();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const posted = await post(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, Buffer.from("{}"), {});
  expect(posted).toMatchObject({ status: 200, answer: "a".repeat(300) });
  expect(sent).toBeLessThan(50_000_000);
});
