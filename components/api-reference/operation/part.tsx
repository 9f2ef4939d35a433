import type { ReactNode } from "react";

export const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className="flex flex-col gap-2">
    <h3 className="font-medium text-13">{title}</h3>
    {children}
  </section>
);
