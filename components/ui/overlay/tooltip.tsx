import {
  cloneElement,
  type FocusEvent,
  type HTMLAttributes,
  type PointerEvent,
  type ReactElement,
  type ReactNode,
  type Ref,
  useCallback,
  useEffect,
  useId,
  useRef,
  useState,
} from "react";
import { lazyComponent } from "#components/ui/feedback/lazy-component";

const Pane = lazyComponent(() => import("./panes/tooltip-pane.tsx").then((module) => module.TooltipPane), true);

const OPENS_AFTER_MS = 300;
/** Milliseconds to move the pointer from the control to the text. */
const CLOSES_AFTER_MS = 100;

type Control = HTMLAttributes<HTMLElement> & { ref?: Ref<HTMLElement> };

type TooltipProps = {
  content: ReactNode;
  /** Shows it without a hover: to confirm a click, which would close it. */
  shown?: boolean;
  children: ReactElement<Control>;
};

/** Adds text to a control, never the only place for it. The code that positions the text loads with the first hover or focus. */
export function Tooltip({ content, shown = false, children }: TooltipProps) {
  const id = useId();
  const anchor = useRef<HTMLElement>(null);
  const [open, setOpen] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const change = (next: boolean, afterMs: number) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setOpen(next), afterMs);
  };
  const enter = ({ pointerType }: PointerEvent) => {
    if (pointerType === "touch") return;
    Pane.preload();
    change(true, OPENS_AFTER_MS);
  };
  const leave = () => change(false, CLOSES_AFTER_MS);
  const close = () => change(false, 0);
  const visible = open || shown;
  const focus = ({ currentTarget }: FocusEvent<HTMLElement>) => {
    if (currentTarget.matches(":focus-visible")) change(true, 0);
  };
  const { ref: ownRef, ...own } = children.props;
  const ref = useCallback((node: HTMLElement | null) => attach(node, anchor, ownRef), [ownRef]);
  const control = cloneElement(children, {
    ref,
    ...(visible && { "aria-describedby": id }),
    onPointerEnter: both(own.onPointerEnter, enter),
    onPointerLeave: both(own.onPointerLeave, leave),
    onPointerDown: both(own.onPointerDown, close),
    onFocus: both(own.onFocus, focus),
    onBlur: both(own.onBlur, close),
  });
  return (
    <>
      {control}
      {visible ? (
        <Pane id={id} anchor={anchor} onPointerEnter={() => change(true, 0)} onPointerLeave={leave} onDismiss={close}>
          {content}
        </Pane>
      ) : null}
    </>
  );
}

/** A control may have handlers of its own: a menu's button loads its menu when the pointer comes near. */
function both<E>(own: ((event: E) => void) | undefined, ours: (event: E) => void): (event: E) => void {
  return (event) => {
    own?.(event);
    ours(event);
  };
}

function attach(node: HTMLElement | null, ...refs: (Ref<HTMLElement> | undefined)[]): void {
  for (const ref of refs) {
    if (typeof ref === "function") ref(node);
    else if (ref) ref.current = node;
  }
}
