"use client";

import Link from "next/link";
import type { ComponentProps } from "react";
import { useNear } from "./use-near.tsx";

/**
 * For links of which a page has many: fetches its page ahead only while the pointer rests on it or the keyboard has focused it,
 * so that a hundred visible links cause no requests.
 *
 * @param ahead false to fetch the page's placeholder alone: a click usually opens no page, or the page is costly
 */
export function HoverPrefetchLink({ ahead = true, ...props }: ComponentProps<typeof Link> & { ahead?: boolean }) {
  const { near, handlers } = useNear();
  return <Link {...props} prefetch={near ? ahead || null : false} {...handlers} />;
}
