"use client";

// biome-ignore lint/style/noRestrictedImports: the one place that does.
import Link from "next/link";
import { type ComponentProps, useState } from "react";

/**
 * Link to a page of Signalbox. Next fetches ahead what each link in sight leads to: some thirty requests for the navigation alone, of which
 * a person follows one. Here it does so for the link that is pointed at or focused (docs/decisions/0110-a-link-fetches-ahead-when-pointed-at.md).
 */
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
