import { expect, test } from "vitest";
import { jumpTarget } from "#lib/client/jump";

test("an id leads to the page of its kind", () => {
  expect(jumpTarget("evt_1")).toEqual({ href: "/events/evt_1", word: "event" });
  expect(jumpTarget("doc_9")?.href).toBe("/documents/doc_9");
  expect(jumpTarget("con_abc")?.href).toBe("/connections/con_abc");
});

test("blanks around a pasted id are dropped and what could leave the path is escaped", () => {
  expect(jumpTarget("  task_1/../../evil ")?.href).toBe("/tasks/task_1%2F..%2F..%2Fevil");
});

test("what is no id leads nowhere", () => {
  for (const text of ["", "invoice", "evt_", "evt 1", "xyz_1"]) expect(jumpTarget(text)).toBeNull();
});
