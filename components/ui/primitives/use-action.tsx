import { useState } from "react";

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

/** Goes to another page. Never ends: the button stays busy until the browser has left. */
export function leaveFor(url: string): Promise<never> {
  location.assign(url);
  return new Promise(() => {});
}
