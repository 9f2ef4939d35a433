import type { ReactNode } from "react";
import { cn } from "#components/ui/primitives/cn";
import { visible } from "#lib/contracts/api/plain-text";

type PageHeaderProps = {
  title: ReactNode;
  description?: ReactNode;
  meta?: ReactNode;
  actions?: ReactNode;
};

export function PageHeader({ title, description, meta, actions }: PageHeaderProps) {
  return (
    <header className="flex flex-wrap items-start gap-x-4 gap-y-3">
      <div className="min-w-0 flex-1 basis-72 max-[560px]:basis-auto">
        <div className="flex min-h-8 flex-wrap items-center gap-x-3 gap-y-1">
          <h1 className="min-w-0 break-words text-20 font-semibold">{typeof title === "string" ? <bdi>{visible(title)}</bdi> : title}</h1>
          {meta}
        </div>
        {description === undefined ? null : <p className="mt-0.5 max-w-[72ch] text-pretty text-13 text-muted">{description}</p>}
      </div>
      {actions === undefined ? null : <div className="flex flex-wrap items-center gap-2">{actions}</div>}
    </header>
  );
}

/** Contains a page: `wide` for tables and boards, `narrow` for text and forms. */
export function PageBody({ width = "wide", className, children }: { width?: "wide" | "narrow"; className?: string; children: ReactNode }) {
  return (
    <div className={cn("flex w-full flex-col gap-6 px-4 py-5 rail:px-6", width === "narrow" && "mx-auto max-w-[960px]", className)}>
      {children}
    </div>
  );
}
