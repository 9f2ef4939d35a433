import type { ReactNode } from "react";
import { cn } from "#components/ui/primitives/cn";

type SectionProps = {
  title: ReactNode;
  description?: ReactNode;
  actions?: ReactNode;
  id?: string;
  className?: string;
  children: ReactNode;
};

export function Section({ title, description, actions, id, className, children }: SectionProps) {
  return (
    <section id={id} className={cn("flex flex-col gap-3", className)}>
      <div className="flex flex-wrap items-end gap-x-4 gap-y-2">
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
