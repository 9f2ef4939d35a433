import { expect, test } from "vitest";
import { inSlices } from "#lib/client/queries/issues";

test("more issues than the API takes are sent in slices, and the answers are added up", async () => {
  const ids = Array.from({ length: 250 }, (_, at) => `iss_${at}`);
  const sent: number[] = [];
  const { changed, unchanged } = await inSlices(ids, async (slice) => {
    sent.push(slice.length);
    return { changed: slice.slice(1), unchanged: slice.slice(0, 1) };
  });
  expect(sent).toEqual([100, 100, 50]);
  expect(unchanged).toEqual(["iss_0", "iss_100", "iss_200"]);
  expect(changed).toHaveLength(247);
});

test("a slice is sent after the answer to the one before, and none after an error", async () => {
  const ids = Array.from({ length: 201 }, (_, at) => `iss_${at}`);
  const sent: string[] = [];
  const send = async ([first = ""]: string[]) => {
    sent.push(first);
    if (sent.length === 2) throw new Error("away");
    return { changed: [first], unchanged: [] };
  };
  await expect(inSlices(ids, send)).rejects.toThrow("away");
  expect(sent).toEqual(["iss_0", "iss_100"]);
});
