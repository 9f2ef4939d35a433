import { useEffect, useRef, useState } from "react";
import { toast } from "#components/ui/feedback/toast";

type State = { busy: boolean; problem: Error | null };

/** What a button or a form does: `busy` until it ends, with the `problem` of the last run. */
export function useAction<Input extends unknown[]>(act: (...input: Input) => Promise<unknown>) {
  const [state, setState] = useState<State>({ busy: false, problem: null });
  async function run(...input: Input) {
    setState({ busy: true, problem: null });
    const problem = await act(...input).then(
      () => null,
      (error: Error) => error,
    );
    setState({ busy: false, problem });
  }
  const clearProblem = () => setState(({ busy }) => ({ busy, problem: null }));
  return { ...state, run: (...input: Input) => void run(...input), clearProblem };
}

/**
 * The action of a window that may be closed before it ends: a toast then says what went wrong.
 *
 * @param failed what that toast says, such as "Couldn't save the source"
 * @param setOpen opens and closes the window, which is closed when it succeeds; an action that answers `"stays"` leaves it open
 * @returns what `useAction` does, and `change`, by which the window is opened and closed
 */
export function useWindowAction<Input extends unknown[]>(
  failed: string,
  act: (...input: Input) => Promise<unknown>,
  setOpen: (open: boolean) => void,
) {
  const opening = useRef(0);
  const action = useAction(async (...input: Input) => {
    const own = opening.current;
    try {
      const ended = await act(...input);
      if (own === opening.current && ended !== "stays") change(false);
    } catch (error) {
      if (own === opening.current) throw error;
      toast.error(failed, { description: (error as Error).message });
    }
  });
  function change(next: boolean) {
    setOpen(next);
    if (next) return;
    opening.current += 1;
    action.clearProblem();
  }
  useEffect(
    () => () => {
      opening.current += 1;
    },
    [],
  );
  return { ...action, change };
}

/** Goes to another page. Never ends: the button stays busy until the browser has left. */
export function leaveFor(url: string): Promise<never> {
  location.assign(url);
  return new Promise(() => {});
}
