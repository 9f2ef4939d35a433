"use client";

import Link from "next/link";
import { type ComponentProps, useState } from "react";

/**
 * For links of which a page has many: prefetches its page only when hovered or
 * focused, so that a hundred visible links cause no requests.
 */
export function HoverPrefetchLink(props: ComponentProps<typeof Link>) {
  const [near, setNear] = useState(false);
  const approach = () => setNear(true);
  return <Link {...props} prefetch={near ? null : false} onPointerEnter={approach} onFocus={approach} />;
}
