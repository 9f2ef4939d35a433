import type { ReactNode } from "react";
import { buttonLook } from "#components/ui/button";
import { NothingYet } from "#components/ui/empty-state";

/** A whole page that leads nowhere but back to the overview. Its link is the browser's own: every page carries this one along. */
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
