"use client";

import { useUrlParameter } from "#components/ui/lists/use-url-parameter";
import type { ViewOrder } from "#lib/contracts/views";

export function useOrder(): { order: ViewOrder; setOrder: (order: ViewOrder) => void } {
  const [order, setOrder] = useUrlParameter("order", "desc");
  return { order: order === "asc" ? "asc" : "desc", setOrder };
}
