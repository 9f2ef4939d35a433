import type { ReactNode } from "react";

type PageHeaderProps = {
  title: ReactNode;
  description?: ReactNode;
  meta?: ReactNode;
  actions?: ReactNode;
};

export function PageHeader({ title, description, meta, actions }: PageHeaderProps) {
  return (
    <header className="flex flex-wrap items-start gap-x-4 gap-y-3">
      <div className="min-w-0 flex-1 basis-72">
        <div className="flex min-h-8 flex-wrap items-center gap-x-3 gap-y-1">
          <h1 className="min-w-0 break-words text-20 font-semibold">{title}</h1>
          {meta}
        </div>
        {description === undefined ? null : <p className="mt-0.5 max-w-[72ch] text-pretty text-13 text-muted">{description}</p>}
      </div>
      {actions === undefined ? null : <div className="flex flex-wrap items-center gap-2">{actions}</div>}
    </header>
  );
}
