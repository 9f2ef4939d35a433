import { expect, it } from "vitest";
import { listenQuery } from "#lib/contracts/events/listeners";

it("a pattern with a star elsewhere is refused in the words of destinations", () => {
  const said = (type: string) => listenQuery.safeParse({ type }).error?.issues.map(({ message }) => message);
  expect(said("*.error")).toEqual(["must have * only at its end, as in document.*"]);
  expect(said("document.*")).toBeUndefined();
});
