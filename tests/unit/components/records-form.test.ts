import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { RecordsForm } from "#components/settings/sources/records-form";
import { sourceFieldsQuery } from "#lib/client/queries/event-fields";

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
