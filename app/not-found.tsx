import { FileQuestion } from "lucide-react";
import type { Metadata } from "next";
import { DeadEnd } from "#components/shell/dead-end";

export const metadata: Metadata = { title: "Not found" };

/** No such address at all. */
export default function NotFound() {
  return (
    <DeadEnd heading="Not found" icon={<FileQuestion aria-hidden />} title="There is no page at this address">
      The address may be mistyped, or the page has moved.
    </DeadEnd>
  );
}
