"use client";

import { useEffect } from "react";
import { later } from "#components/ui/later";
import { useToastsWanted, wantToasts } from "#components/ui/toast";

const Toasts = later(() => import("#components/ui/toasts").then((module) => module.Toasts), true);

/**
 * Where toasts come up. Once, in the providers. It comes with the first press:
 * screen readers must know the region before there are words in it.
 */
export function Toaster() {
  const shown = useToastsWanted();
  useEffect(() => {
    const once = { once: true, capture: true };
    for (const press of ["pointerdown", "keydown"]) document.addEventListener(press, wantToasts, once);
    return () => {
      for (const press of ["pointerdown", "keydown"]) document.removeEventListener(press, wantToasts, once);
    };
  }, []);
  return shown ? <Toasts /> : null;
}
