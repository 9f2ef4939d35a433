import { FileQuestion } from "lucide-react";
import type { Metadata } from "next";
import type { ReactNode } from "react";
import { NothingYet } from "#components/ui/layout/content-states";
import { buttonLook } from "#components/ui/primitives/button";

export const metadata: Metadata = { title: "Not found" };

export default function NotFound() {
  return (
    <DeadEnd heading="Not found" icon={<FileQuestion />} title="There is no page at this URL">
      The URL may be mistyped, or the page has moved.
    </DeadEnd>
  );
}

/** Full page with only a link to the overview. A plain <a>: this code is in the bundle of every page. */
function DeadEnd({ heading, icon, title, children }: { heading: string; icon: ReactNode; title: string; children: ReactNode }) {
  return (
    <main className="flex min-h-dvh flex-col items-center justify-center">
      <h1 className="sr-only">{heading}</h1>
      <NothingYet
        icon={icon}
        title={title}
        actions={
          <a href="/" className={buttonLook()}>
            Go to the overview
          </a>
        }
      >
        {children}
      </NothingYet>
    </main>
  );
}
