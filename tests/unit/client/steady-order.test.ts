import { expect, test } from "vitest";
import { inSteadyOrder } from "#components/ui/lists/use-steady-order";

const idOf = ({ id }: { id: string }) => id;
const rows = (...ids: string[]) => ids.map((id) => ({ id }));

test("rows keep the order in which they were seen, new ones come last in theirs, and what has gone leaves no gap", () => {
  expect(inSteadyOrder(rows("new", "c", "newer", "a"), ["a", "b", "c"], idOf).map(idOf)).toEqual(["a", "c", "new", "newer"]);
});
