import { describe, expect, test } from "vitest";
import { startConnectResult } from "#lib/contracts/connections";
import { makeAccount } from "#tests/support/account";
import { useHostilePlatform } from "#tests/support/hostile-platform";
import { arrive } from "#tests/support/platform-connection";
import { callRoute } from "#tests/support/routes";
import { ofEachKind } from "#tests/support/sample";
import { GET as callback } from "../../../app/callback/route.ts";

const { platform } = useHostilePlatform();
const REGISTERED = "http://localhost:3000/callback";

const start = (headers: Record<string, string>, body: object) =>
  callRoute("POST", "api/v1/connections", { ...headers, origin: "http://localhost:3000" }, { body });

/** Headers that proxies and attackers add to a request. */
const HOSTILE: Record<string, string>[] = [
  { host: "evil.example" },
  { "x-forwarded-host": "evil.example" },
  { "x-forwarded-host": "evil.example, localhost:3000" },
  { "x-forwarded-proto": "https" },
  { "x-forwarded-port": "8443" },
  { "x-forwarded-prefix": "/evil" },
  { "x-original-host": "evil.example", "x-host": "evil.example", "x-forwarded-server": "evil.example" },
  { forwarded: "host=evil.example;proto=https" },
  { "x-original-url": "/evil", "x-rewrite-url": "/evil" },
  { referer: "https://evil.example/", host: "localhost:3000@evil.example" },
];

/** Ways to write another site, or code, where one of our pages is expected. */
const AWAY = ["//evil.example", "/\\evil.example", "https://evil.example", "javascript:alert(1)", "%2f%2fevil.example", " //evil.example"];

describe("no request changes where the platform or the browser is sent", () => {
  test.each(ofEachKind(HOSTILE, (headers) => "host" in headers))(
    "redirect_uri is the registered one, byte for byte, under %o",
    async (headers) => {
      const { cookie } = await makeAccount();
      const begun = await start({ ...headers, cookie }, { name: "x" });
      const { authorizationUrl } = startConnectResult.parse(await begun.json());
      const asked = new URL(authorizationUrl).searchParams;
      expect(asked.get("redirect_uri")).toBe(REGISTERED);
      const answer = await callback(
        new Request(`http://evil.example:9/callback?code=c&state=${asked.get("state")}`, { headers: { ...headers, cookie } }),
      );
      expect(platform.requests.map(({ fields }) => fields.redirect_uri)).toEqual([REGISTERED]);
      expect(answer.headers.get("location")).toMatch(/^http:\/\/localhost:3000\/connections\/con_[a-z0-9]+\?outcome=connected$/);
    },
  );

  test.each(ofEachKind(AWAY, ([first]) => first))("%j leaves the site nowhere", async (away) => {
    const { cookie } = await makeAccount();
    // From the callback, under every name that such a parameter has had:
    const query = new URLSearchParams(
      ["returnTo", "return_to", "callbackUrl", "redirect", "next", "url", "redirect_uri"].map((name) => [name, away]),
    );
    const answer = await arrive(query.toString(), { cookie });
    expect(answer.headers.get("location")).toBe("http://localhost:3000/connections?outcome=state_mismatch");
    // And from the start of an attempt: a body that says more than the contract starts none.
    const begun = await start({ cookie }, { name: "x", returnTo: away, redirect_uri: away, redirectUri: away });
    expect(begun.status).toBe(400);
  });
});
