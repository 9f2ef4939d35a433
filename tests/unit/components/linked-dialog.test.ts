import { PathnameContext, SearchParamsContext } from "next/dist/shared/lib/hooks-client-context.shared-runtime";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { overlapHint, startOf } from "#components/settings/sources/rotate-secret";
import { opensDialog, useLinkedDialog } from "#components/settings/sources/source-dialog";
import { PageQueryProvider } from "#components/ui/lists/use-page-query";
import { type SourceDialogName, sourceHref } from "#lib/client/format/resource-links";
import type { Source } from "#lib/contracts/sources/sources";

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
