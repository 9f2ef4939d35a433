import { expect, test } from "@playwright/test";
import { AGAIN_IF_RESET } from "./support/session.ts";

const MOVED = [
  ["/failures", "/issues"],
  ["/refused", "/quarantine"],
  ["/findings", "/missing-events"],
  ["/settings/views", "/settings/records"],
  ["/events?status=failed", "/events?state=failed"],
  ["/tasks?inWork=true", "/tasks?active=true"],
] as const;

test("URLs of earlier versions lead to the pages that took their place", async ({ request, baseURL }) => {
  for (const [earlier, now] of MOVED) {
    const answer = await request.get(earlier, { maxRedirects: 0, ...AGAIN_IF_RESET });
    const { pathname, searchParams } = new URL(answer.headers().location ?? "", baseURL);
    expect([answer.status(), pathname], earlier).toEqual([308, now.split("?")[0]]);
    expect(`?${searchParams}`, earlier).toContain(now.split("?")[1] ?? "?");
  }
});
