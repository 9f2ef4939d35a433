import { AppRouterContext } from "next/dist/shared/lib/app-router-context.shared-runtime";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { NoneMatches } from "#components/views/view-list";

/** Its links ask for a router, as Next gives it to each page. */
const shown = (q: string | undefined) =>
  renderToStaticMarkup(
    createElement(AppRouterContext, { value: {} as never }, createElement(NoneMatches, { kind: "document", q, onClear: () => undefined })),
  );

it("a search of records that finds none offers the search of events for the same, and a filter alone doesn't", () => {
  expect(shown("Miller & Sons")).toContain('href="/events?q=Miller+%26+Sons"');
  expect(shown("Miller & Sons")).toContain("Search events for “Miller &amp; Sons”");
  expect(shown(undefined)).not.toContain("/events");
});
