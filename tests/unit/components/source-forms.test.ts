import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { PathnameContext, SearchParamsContext } from "next/dist/shared/lib/hooks-client-context.shared-runtime";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { RecordsForm } from "#components/settings/sources/records-form";
import { overlapHint, startOf } from "#components/settings/sources/rotate-secret";
import { SchemeFields, schemeOfForm } from "#components/settings/sources/scheme-fields";
import { opensDialog, useLinkedDialog } from "#components/settings/sources/source-dialog";
import { PageQueryProvider } from "#components/ui/lists/use-page-query";
import { type SourceDialogName, sourceHref } from "#lib/client/format/resource-links";
import { sourceFieldsQuery } from "#lib/client/queries/event-fields";
import { challengeSettings } from "#lib/contracts/sources/challenge-settings";
import { hmacSettings, jwtSettings, type SchemeSettings, schemeSettings } from "#lib/contracts/sources/scheme-settings";
import type { Source } from "#lib/contracts/sources/sources";
import type { SourceTemplateName } from "#lib/contracts/sources/templates";
import { FORMS } from "#tests/support/signature-forms";

function Shown({ name }: { name: string }) {
  const [open] = useLinkedDialog((query) => opensDialog(query, { name } as Source, "rotate"));
  return open ? "open" : "closed";
}

const at = (dialog: SourceDialogName, name: string) => {
  const { pathname, searchParams } = new URL(sourceHref("stripe", dialog), "http://localhost");
  const page = createElement(PageQueryProvider, null, createElement(Shown, { name }));
  const path = createElement(PathnameContext, { value: pathname }, page);
  return renderToStaticMarkup(createElement(SearchParamsContext, { value: searchParams }, path));
};

it("a link opens its dialog at its source, and no other", () => {
  expect([at("rotate", "stripe"), at("edit", "stripe"), at("rotate", "github")]).toEqual(["open", "closed", "closed"]);
});

it("setting a secret says so, and keeps no secret valid that has verified no event", () => {
  const unproven = { name: "stripe", issuesSecret: false, lastEventAt: null } as Source;
  expect(startOf(unproven, true)).toMatchObject({ title: "Set secret for stripe", origin: "given", overlap: "0" });
  expect(overlapHint("0", true)).not.toContain("rejected");
  const proven = { ...unproven, lastEventAt: "2026-08-05T10:00:00.000Z" };
  expect(startOf(proven, false)).toMatchObject({ title: "Rotate secret for stripe", origin: "generated", overlap: "24" });
});

it("offers each path field what recent events of the source hold, but nothing within a list, and names the states that were seen", () => {
  const queries = new QueryClient();
  queries.setQueryData(sourceFieldsQuery("shop").queryKey, [
    { path: "data.object.customer", values: [], inList: false },
    { path: "data.object.status", values: ["draft", "paid"], inList: false },
    { path: "data.object.lines.sku", values: [], inList: true },
  ]);
  const record = { kind: "order", id: "object.customer", state: "object.status" };
  const source = { name: "shop", template: "stripe", sender: "Stripe", records: "generic", record } as const;
  const form = createElement(RecordsForm, { source, error: null, pending: false, onSubmit: () => undefined, onCancel: () => undefined });
  const page = renderToStaticMarkup(createElement(QueryClientProvider, { client: queries }, form));
  const [list, id] = /<datalist id="([^"]+)">.*<\/datalist>/.exec(page) ?? [];
  expect(list?.match(/value="[^"]*"/g)).toEqual(['value="object.customer"', 'value="object.status"']);
  expect(page.match(/<input[^>]*>/g)?.filter((input) => input.includes(`list="${id}"`))).toHaveLength(3);
  expect(page).toContain("such as draft = completed. Recent events have: draft, paid.");
});

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
