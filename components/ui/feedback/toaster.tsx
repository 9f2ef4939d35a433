import { useEffect } from "react";
import { lazyComponent } from "./lazy-component.tsx";
import { requestToaster, useToasterRequested } from "./toast.tsx";

const Toasts = lazyComponent(() => import("./toasts.tsx").then((module) => module.Toasts), true);

/** Loads toasts with the first click or key, because screen readers must know the region before it has text. Used once. */
export function Toaster() {
  const shown = useToasterRequested();
  useEffect(() => {
    const once = { once: true, capture: true };
    for (const press of ["pointerdown", "keydown"]) document.addEventListener(press, requestToaster, once);
    return () => {
      for (const press of ["pointerdown", "keydown"]) document.removeEventListener(press, requestToaster, once);
    };
  }, []);
  return shown ? <Toasts /> : null;
}
