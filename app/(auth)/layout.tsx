import type { ReactNode } from "react";
import { BrandMark } from "#components/shell/brand-mark";

export default function AuthLayout({ children }: { children: ReactNode }) {
  return (
    <div className="flex min-h-dvh flex-col items-center bg-sunken px-4 pt-[14vh] pb-12">
      <header className="mb-6 flex items-center gap-2.5">
        <BrandMark className="size-6" />
        <span className="text-16 font-semibold">Signalbox</span>
      </header>
      <main className="w-full max-w-[400px] rounded-md border border-line bg-raised px-6 py-6">{children}</main>
    </div>
  );
}
