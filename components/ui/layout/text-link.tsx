import type { ReactNode } from "react";
import { HoverPrefetchLink } from "#components/ui/lists/hover-prefetch-link";
import { cn } from "#components/ui/primitives/cn";

/** A link inside text. */
export function TextLink({ href, className, children }: { href: string; className?: string; children: ReactNode }) {
  return (
    <HoverPrefetchLink
      href={href}
      className={cn("rounded-sm text-accent-text underline decoration-line-strong underline-offset-2 hover:decoration-current", className)}
    >
      {children}
    </HoverPrefetchLink>
  );
}
