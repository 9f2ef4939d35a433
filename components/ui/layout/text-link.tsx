import type { ReactNode } from "react";
import { cn } from "#components/ui/primitives/cn";
import { PageLink } from "#components/ui/primitives/page-link";

export function TextLink({ href, className, children }: { href: string; className?: string; children: ReactNode }) {
  return (
    <PageLink
      href={href}
      className={cn("rounded-sm text-accent-text underline decoration-line-strong underline-offset-2 hover:decoration-current", className)}
    >
      {children}
    </PageLink>
  );
}
