import Link from "next/link";
import { BrandMark } from "#components/shell/brand-mark";
import { NavList } from "#components/shell/nav-list";

/** The navigation at the left, from 900 px on. */
export function Rail({ workspaceName, sandbox }: { workspaceName: string; sandbox: boolean }) {
  return (
    <aside
      aria-label="Workspace"
      className="sticky top-0 hidden h-dvh w-[216px] shrink-0 flex-col border-r border-line bg-sunken rail:flex"
    >
      <Link href="/" className="flex h-12 items-center gap-2.5 px-4">
        <BrandMark />
        <span className="min-w-0 leading-4">
          <span className="block text-13 font-semibold leading-4">Signalbox</span>
          <span className="block truncate text-12 text-muted leading-4">{workspaceName}</span>
        </span>
      </Link>
      <div className="min-h-0 flex-1 overflow-y-auto px-2 pt-2 pb-4">
        <NavList sandbox={sandbox} />
      </div>
    </aside>
  );
}
