import type { ReactNode } from "react";
import { cn } from "#components/ui/primitives/cn";

/** Contains a page: `wide` for tables and boards, `narrow` for text and forms. */
export function PageBody({ width = "wide", className, children }: { width?: "wide" | "narrow"; className?: string; children: ReactNode }) {
  return (
    <div className={cn("flex w-full flex-col gap-6 px-4 py-5 rail:px-6", width === "narrow" && "mx-auto max-w-[960px]", className)}>
      {children}
    </div>
  );
}
