const ELSEWHERE = "input, textarea, select, [role=menu], [role=dialog], [role=alertdialog], [role=listbox]";

/** True if a key belongs to the focused element: a text field, or an open menu or dialog. */
export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.closest(ELSEWHERE) !== null);
