import { expect, onTestFinished, test } from "vitest";
import { PRODUCT_VERSION } from "#lib/config/product";
import { answerWhileWaiting, startingPage } from "#lib/processes/start-waits";
import { ownPort } from "#tests/support/own-port";

test("while a start builds, browsers see how far it is, and everything else is asked to come again", async () => {
  const port = ownPort();
  const progress = { percent: 42, waitsFor: "compiling" };
  const waiting = { waitsFor: () => "the production build (42%, compiling)", page: () => startingPage(progress) };
  const close = await answerWhileWaiting(port, waiting);
  onTestFinished(close);
  const ask = (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${port}${path}`, init);

  const page = await ask("/events", { headers: { accept: "text/html,*/*" } });
  expect([page.status, page.headers.get("retry-after"), page.headers.get("content-type")]).toEqual([503, "5", "text/html; charset=utf-8"]);
  expect(await page.text()).toContain("42%, compiling");
  const live = await ask("/health/live");
  expect([live.status, await live.json()]).toEqual([200, { status: "live", version: PRODUCT_VERSION }]);
  const webhook = await ask("/webhooks/platform", { method: "POST", body: "{}" });
  expect([webhook.status, webhook.headers.get("retry-after")]).toEqual([503, "5"]);
  expect(await webhook.json()).toMatchObject({ code: "unavailable", detail: expect.stringContaining("42%, compiling") });
  const ready = (await (await ask("/health/ready")).json()) as { receiver: { detail: string } };
  expect(ready.receiver.detail).toBe("can't store: the start waits for the production build (42%, compiling)");
});
