import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { makeApi } from "../../../packages/cli/src/api-client.ts";
import { pagesOf } from "../../../packages/cli/src/events.ts";

test("a list that goes in a circle is left, and said", async () => {
  let times = 0;
  const server = createServer((_request, response) => {
    times += 1;
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ data: [{ id: `e${times}` }], nextCursor: `c${times % 2}` }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const api = makeApi({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, key: null, allowHttp: true } as Parameters<
    typeof makeApi
  >[0]);
  const read = async () => {
    for await (const _ of pagesOf(api, "/api/v1/events", {}, 50)) if (times > 40) throw new Error("it went on");
  };
  await expect(read()).rejects.toThrow(/does not understand/);
  expect(times).toBeLessThan(5);
});
