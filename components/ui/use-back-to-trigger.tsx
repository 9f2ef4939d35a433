"use client";

import { type RefObject, useRef } from "react";

/**
 * For the content of a menu or a pane beside its button: closing gives the
 * focus back to the button, unless a press elsewhere closed it. A press on the
 * button is the button's own.
 */
export function useBackToTrigger(trigger: RefObject<HTMLElement | null>) {
  const elsewhere = useRef(false);
  return {
    onInteractOutside: (event: Event) => {
      if (event.target instanceof Node && trigger.current?.contains(event.target)) event.preventDefault();
      else elsewhere.current = true;
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault();
      if (!elsewhere.current) trigger.current?.focus();
      elsewhere.current = false;
    },
  };
}
