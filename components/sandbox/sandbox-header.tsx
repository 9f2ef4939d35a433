import { PageHeader } from "#components/ui/layout/page-header";
import { TabNav } from "#components/ui/layout/tabs";

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
