import { FileQuestion } from "lucide-react";
import type { Metadata } from "next";
import { DeadEnd } from "#components/shell/dead-end";

export const metadata: Metadata = { title: "Not found" };

export default function NotFound() {
  return (
    <DeadEnd heading="Not found" icon={<FileQuestion aria-hidden />} title="There is no page at this URL">
      The URL may be mistyped, or the page has moved.
    </DeadEnd>
  );
}
