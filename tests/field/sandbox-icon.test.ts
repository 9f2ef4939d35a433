import { expect, it } from "vitest";
import { pageResponse } from "#lib/sandbox/http-answers";
import { rejectionPage } from "#lib/sandbox/oauth/consent-page";

it("the icon of the sandbox platform's pages is in the page, and their policy allows it", async () => {
  const answer = pageResponse(rejectionPage("ticket_rejected", "http://localhost:3000"), 400);
  const icon = /<link rel="icon" href="(data:image\/svg\+xml,[^"]+)">/.exec(await answer.text())?.[1] ?? "";
  expect(decodeURIComponent(icon)).toMatch(/<svg .*<\/svg>$/);
  expect(answer.headers.get("content-security-policy")).toMatch(/^default-src 'none'; img-src data:;/);
});
