"use client";

import Link from "next/link";
import { type ComponentProps, useState } from "react";

/**
 * A link of which a page has many. Its page is fetched ahead once it is pointed
 * at or focused; a hundred that come into sight ask the server for nothing.
 */
export function PatientLink(props: ComponentProps<typeof Link>) {
  const [near, setNear] = useState(false);
  const approach = () => setNear(true);
  return <Link {...props} prefetch={near ? null : false} onPointerEnter={approach} onFocus={approach} />;
}
