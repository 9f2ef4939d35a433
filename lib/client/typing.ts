const ELSEWHERE = "input, textarea, select, [role=menu], [role=dialog], [role=alertdialog], [role=listbox]";

/** True where a key belongs to what has the focus: somebody types, or a menu or a dialog is open. */
export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.closest(ELSEWHERE) !== null);
