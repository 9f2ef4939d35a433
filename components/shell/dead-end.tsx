import type { ReactNode } from "react";
import { NothingYet } from "#components/ui/layout/content-states";
import { buttonLook } from "#components/ui/primitives/button";

/** Full page with only a link to the overview. A plain <a>: this code is in the bundle of every page. */
export function DeadEnd({ heading, icon, title, children }: { heading: string; icon: ReactNode; title: string; children: ReactNode }) {
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
