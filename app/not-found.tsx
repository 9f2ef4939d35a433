import { FileQuestion } from "lucide-react";
import type { Metadata } from "next";
import { NothingYet } from "#components/ui/empty-state";
import { LinkButton } from "#components/ui/link-button";

export const metadata: Metadata = { title: "Not found" };

/** No such address at all. */
export default function NotFound() {
  return (
    <main className="flex min-h-dvh flex-col items-center justify-center">
      <h1 className="sr-only">Not found</h1>
      <NothingYet
        icon={<FileQuestion aria-hidden />}
        title="There is no page at this address"
        actions={<LinkButton href="/">Go to the overview</LinkButton>}
      >
        The address may be mistyped, or the page has moved.
      </NothingYet>
    </main>
  );
}
