import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { SchemeFields, schemeOfForm } from "#components/settings/sources/scheme-fields";
import { challengeSettings } from "#lib/contracts/sources/challenge-settings";
import { hmacSettings, jwtSettings, type SchemeSettings, schemeSettings } from "#lib/contracts/sources/scheme-settings";
import type { SourceTemplateName } from "#lib/contracts/sources/templates";
import { FORMS } from "#tests/support/signature-forms";

/** What a form of these settings sends when nothing in it was changed. */
function untouched(template: SourceTemplateName, settings: SchemeSettings): FormData {
  const html = renderToStaticMarkup(createElement(SchemeFields, { template, settings }));
  const form = new FormData();
  const unescaped = (text: string) =>
    text.replaceAll("&quot;", '"').replaceAll("&#x27;", "'").replaceAll("&lt;", "<").replaceAll("&amp;", "&");
  for (const [input] of html.matchAll(/<input[^>]*>/g)) {
    const [, name] = / name="([^"]*)"/.exec(input) ?? [];
    const [, value = ""] = / value="([^"]*)"/.exec(input) ?? [];
    if (name !== undefined) form.set(name, unescaped(value));
  }
  return form;
}

/** What FORMS lack: parts of a header, the time in one of them, a sender's public key, a prefix. */
const MORE_FORMS = {
  parts: {
    settings: {
      header: "x-paddle",
      format: "pairs",
      separator: ";",
      part: "h1",
      timestampPart: "ts",
      content: "{timestamp}:{body}",
      toleranceSeconds: 300,
    },
  },
  milliseconds: {
    settings: { header: "x-hook", content: "{timestamp}{body}", timestampHeader: "x-time", timestampForm: "milliseconds" },
  },
  "a public key": { settings: { header: "x-ed25519", method: "ed25519", algorithm: "sha1" } },
  "a prefix": { settings: { header: "x-mac", prefix: "hmac-sha256=", key: "base64" } },
} as const;

describe("the form of a described source", () => {
  it.each(Object.entries({ ...FORMS, ...MORE_FORMS }))("that is saved unchanged says the same: %s", (_, { settings }) => {
    const hmac = hmacSettings.parse(settings);
    const again = schemeOfForm("hmac", untouched("hmac", { hmac }), { hmac })?.hmac;
    expect(hmacSettings.parse(again)).toEqual(hmac);
  });

  it("sends no field of the release after to a simple source: what it stores is read by the release before", () => {
    const scheme = schemeOfForm("hmac", untouched("hmac", {}));
    expect(Object.keys(scheme?.hmac ?? {}).sort()).toEqual([
      "algorithm",
      "content",
      "encoding",
      "format",
      "key",
      "prefix",
      "toleranceSeconds",
    ]);
    const parsed = hmacSettings.parse({ header: "x-signature" });
    expect(Object.keys(parsed).sort()).toEqual([
      "algorithm",
      "content",
      "encoding",
      "format",
      "header",
      "key",
      "prefix",
      "toleranceSeconds",
    ]);
  });

  it.each([
    { asked: "get", take: "header:x-okta-verification-challenge", maxLength: 256, answer: { json: { verification: "{value}" } } },
    {
      asked: "post",
      when: [{ place: "header:aeg-event-type", equals: "Subscribe" }],
      take: "0.code",
      maxLength: 256,
      answer: { text: "{value}" },
    },
    {
      asked: "get",
      take: "query:c",
      maxLength: 256,
      hmac: { algorithm: "sha256", encoding: "base64" },
      answer: { headers: { "x-answer": "{hmac}" } },
    },
  ] as const)("holds a challenge", (each) => {
    const settings: SchemeSettings = { challenges: [challengeSettings.parse(each)], answer: { text: "Hello" } };
    expect(schemeOfForm("basic", untouched("basic", settings), settings)).toEqual(settings);
  });

  it("leaves what it can't hold as it is, and takes a challenge away that is set to nothing", () => {
    const settings = schemeSettings.parse({
      token: { header: "authorization", prefix: "Bearer " },
      challenges: [
        { asked: "post", take: "header:x-hook-secret", learning: { secret: "header:x-hook-secret" }, answer: { text: "{value}" } },
      ],
    });
    expect(schemeOfForm("token", untouched("token", settings), settings)).toEqual(settings);
    const simple = schemeSettings.parse({ challenges: [{ asked: "head", answer: {} }] });
    const form = untouched("basic", simple);
    form.set("asked", "none");
    expect(schemeOfForm("basic", form, simple)).toEqual({});
  });

  it("holds a token's settings", () => {
    const settings = {
      jwt: jwtSettings.parse({ header: "x-token", algorithm: "ES256", bodyClaim: "sha", issuer: "acme", toleranceSeconds: null }),
    };
    expect(schemeOfForm("jwt", untouched("jwt", settings), settings)).toEqual(settings);
  });
});
