"use client";

import { useRouter } from "next/navigation";
import { useCallback } from "react";
import { connection } from "#lib/client/connection";

/** Returns a function that opens a page of the dashboard, without a connection once it is back. */
export function useOpenPage(): (href: string) => void {
  const { push } = useRouter();
  return useCallback((href) => connection.hold(href) || push(href), [push]);
}
