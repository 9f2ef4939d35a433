"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useEffect } from "react";

/** Has the pages that are kept fetched again after a mutation that is marked with `CHANGES_PAGES`. */
export function RefreshPages() {
  const { refresh } = useRouter();
  const mutations = useQueryClient().getMutationCache();
  useEffect(
    () =>
      mutations.subscribe(({ type, mutation, ...change }) => {
        const succeeded = type === "updated" && "action" in change && change.action.type === "success";
        if (succeeded && mutation?.meta?.changesPages) refresh();
      }),
    [mutations, refresh],
  );
  return null;
}
