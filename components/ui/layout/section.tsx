import type { ReactNode } from "react";
import { cn } from "#components/ui/primitives/cn";

type SectionProps = {
  title: ReactNode;
  description?: ReactNode;
  actions?: ReactNode;
  className?: string;
  children: ReactNode;
};

export function Section({ title, description, actions, className, children }: SectionProps) {
  return (
    <section className={cn("flex flex-col gap-3", className)}>
      <div className={cn("flex flex-wrap gap-x-4 gap-y-2", description === undefined ? "items-center" : "items-end")}>
        <div className={cn("min-w-0 flex-1", description !== undefined && "basis-56")}>
          <h2 className="text-14 font-medium">{title}</h2>
          {description === undefined ? null : <p className="max-w-[72ch] text-13 text-muted">{description}</p>}
        </div>
        {actions === undefined ? null : <div className="flex items-center gap-2">{actions}</div>}
      </div>
      {children}
    </section>
  );
}

/** Boxes one self-contained thing. Prefer Section, which needs only a line. */
export function Panel({ id, className, children }: { id?: string; className?: string; children: ReactNode }) {
  return (
    <div id={id} className={cn("rounded-md border border-line bg-raised", className)}>
      {children}
    </div>
  );
}

export function PanelHeader({ title, hint, actions }: { title: ReactNode; hint?: ReactNode; actions?: ReactNode }) {
  return (
    <div className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-4 py-2">
      {/* Many actions are wrapped below the title, which on a phone they would leave no room for. */}
      <div className="min-w-0 grow basis-32">
        <h2 className="truncate text-13 font-medium">{title}</h2>
        {hint === undefined ? null : <p className="truncate text-12 text-muted">{hint}</p>}
      </div>
      {actions}
    </div>
  );
}

export function PanelBody({ className, children }: { className?: string; children: ReactNode }) {
  return <div className={cn("p-4", className)}>{children}</div>;
}
