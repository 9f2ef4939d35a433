import type { ReactNode } from "react";
import { NothingYet } from "#components/ui/empty-state";
import { LinkButton } from "#components/ui/link-button";

/** A whole page that leads nowhere but back to the overview. */
export function DeadEnd({ heading, icon, title, children }: { heading: string; icon: ReactNode; title: string; children: ReactNode }) {
  return (
    <main className="flex min-h-dvh flex-col items-center justify-center">
      <h1 className="sr-only">{heading}</h1>
      <NothingYet icon={icon} title={title} actions={<LinkButton href="/">Go to the overview</LinkButton>}>
        {children}
      </NothingYet>
    </main>
  );
}
