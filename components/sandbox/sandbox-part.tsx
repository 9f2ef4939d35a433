import { ChevronDown } from "lucide-react";
import type { ReactNode } from "react";
import { PageHeader } from "#components/ui/layout/page-header";
import { TabNav } from "#components/ui/layout/tabs";

/** Holds the parts, of which one is open. */
export const SandboxParts = ({ children }: { children: ReactNode }) => (
  <div className="divide-y divide-line overflow-hidden rounded-md border border-line bg-raised">{children}</div>
);

/** One thing that the sandbox can send. All of them fit a screen: the browser closes the others when one is opened. */
export function SandboxPart({ title, open = false, children }: { title: string; open?: boolean; children: ReactNode }) {
  return (
    <details name="sandbox" open={open} className="group">
      <summary className="flex h-11 items-center gap-3 px-4 -outline-offset-2 hover:bg-hover [&::-webkit-details-marker]:hidden">
        <h2 className="min-w-0 flex-1 truncate text-13 font-medium">{title}</h2>
        <ChevronDown className="size-4 shrink-0 text-faint transition-transform group-open:rotate-180" />
      </summary>
      <div className="border-t border-line">{children}</div>
    </details>
  );
}

const TABS = [
  { href: "/sandbox", label: "Platform" },
  { href: "/sandbox/senders", label: "Other senders" },
  { href: "/sandbox/receiving-app", label: "Receiving app" },
];

export function SandboxHeader({ description }: { description: string }) {
  return (
    <div className="flex flex-col gap-3">
      <PageHeader title="Sandbox" description={description} />
      <TabNav label="Sandbox" items={TABS} />
    </div>
  );
}
