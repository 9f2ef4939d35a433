"use client";

// biome-ignore lint/style/noRestrictedImports: the one place that does.
import Link from "next/link";
import { type ComponentProps, useState } from "react";

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
