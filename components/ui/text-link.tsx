import type { ReactNode } from "react";
import { cn } from "#components/ui/cn";
import { PatientLink } from "#components/ui/patient-link";

/** A link inside text. */
export function TextLink({ href, className, children }: { href: string; className?: string; children: ReactNode }) {
  return (
    <PatientLink
      href={href}
      className={cn("rounded-sm text-accent-text underline decoration-line-strong underline-offset-2 hover:decoration-current", className)}
    >
      {children}
    </PatientLink>
  );
}
