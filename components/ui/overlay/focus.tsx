import { type RefObject, useLayoutEffect, useRef } from "react";

function focusTitle() {
  const title = document.querySelector<HTMLElement>("#content h1");
  if (!title) return;
  title.tabIndex = -1;
  title.focus({ preventScroll: true });
}

/** Moves the focus to the page's heading when the ref's element is removed; the browser would move it to the top of the document. */
export function useKeepFocus<Kept extends HTMLElement>() {
  const ref = useRef<Kept>(null);
  useLayoutEffect(() => {
    const kept = ref.current;
    return () => {
      if (kept?.contains(document.activeElement)) focusTitle();
    };
  }, []);
  return ref;
}

/** Returns the focus when a window closes, to the page's heading if needed. Call `remember` before a field takes the focus. */
export function useFocusBack(anchor?: RefObject<HTMLElement | null>) {
  const before = useRef<HTMLElement | null>(null);
  const remember = () => {
    before.current = document.activeElement instanceof HTMLElement ? document.activeElement : null;
  };
  const content = {
    onOpenAutoFocus: remember,
    onCloseAutoFocus: (event: Event) => {
      const back = before.current?.isConnected ? before.current : anchor?.current;
      event.preventDefault();
      if (!isFocusFree()) return;
      if (back) back.focus();
      else focusTitle();
    },
  };
  return { content, remember };
}

/** True if nothing has the focus. On a busy machine a window ends late, and another may have the focus by then. */
export const isFocusFree = (): boolean => document.activeElement === null || document.activeElement === document.body;
