"use client";

// biome-ignore lint/style/noRestrictedImports: the one place that does.
import Link from "next/link";
import { type ComponentProps, type ReactNode, useState } from "react";
import { cn } from "./cn.tsx";

/** Prefetches on hover and focus only: Next prefetches every visible link, some 30 requests for the navigation alone (decision 100). */
export function PageLink({ prefetch = null, onPointerEnter, onFocus, ...props }: ComponentProps<typeof Link>) {
  const [near, setNear] = useState(false);
  return (
    <Link
      {...props}
      prefetch={near ? prefetch : false}
      onPointerEnter={(event) => {
        setNear(true);
        onPointerEnter?.(event);
      }}
      onFocus={(event) => {
        setNear(true);
        onFocus?.(event);
      }}
    />
  );
}

export function TextLink({ href, className, children }: { href: string; className?: string; children: ReactNode }) {
  return (
    <PageLink
      href={href}
      className={cn("rounded-sm text-accent-text underline decoration-line-strong underline-offset-2 hover:decoration-current", className)}
    >
      {children}
    </PageLink>
  );
}
