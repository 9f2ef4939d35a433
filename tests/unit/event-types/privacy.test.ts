import { expect, it } from "vitest";
import { formatOf, isDataKey, isPersonalField } from "#lib/event-types/formats";
import { tellableValues } from "#lib/event-types/live-field";
import { Learning } from "#tests/support/lessons";

const valuesOf = (learning: Learning, path: string) => {
  const stats = learning.stored.tree.fields[path];
  return stats ? (tellableValues(stats)?.map(({ text }) => text) ?? null) : undefined;
};
const kept = (learning: Learning) => JSON.stringify(learning.stored.tree);

it("a value is kept only of an enumeration: 200 seen, 12 at most, each from three records", () => {
  const learning = new Learning();
  const statusOf = (n: number) => ["completed", "failed", "waiting"][n % 3];
  for (let n = 0; n < 199; n += 1) learning.teach({ status: statusOf(n) });
  expect(kept(learning)).not.toContain("completed");
  for (let n = 0; n < 10; n += 1) learning.teach({ status: statusOf(n) });
  expect(valuesOf(learning, "data.status")).toEqual(["completed", "failed", "waiting"]);

  // Many events of two records, and one of a third: not told.
  const record = (id: string) => ({ record: { kind: "document", id } });
  for (let n = 0; n < 50; n += 1) learning.teach({ status: "paused by Ada" }, record(`doc_${n % 2}`));
  expect(kept(learning)).not.toContain("paused");
  learning.teach({ status: "paused by Ada" }, record("doc_third"));
  expect(valuesOf(learning, "data.status")).toContain("paused by Ada");
});

it("a field with more than 12 values, or a long one, is no enumeration, and its values go", () => {
  const learning = new Learning();
  for (let n = 0; n < 240; n += 1) learning.teach({ state: `s${String.fromCharCode(97 + (n % 12))}`, kind: "short" });
  expect(valuesOf(learning, "data.state")).toHaveLength(12);
  learning.teach({ state: "one more", kind: "x".repeat(41) });
  expect([valuesOf(learning, "data.state"), valuesOf(learning, "data.kind")]).toEqual([null, null]);
  expect(kept(learning)).not.toContain("short");
});

it("no value is kept of a field whose name or format tells of a person", () => {
  const learning = new Learning();
  const one = {
    customer_name: "Ada",
    ownerEmail: "ada@example.com",
    contact: "ada@example.com",
    phone: "+44 20 7946 0958",
    mobile: 447_700_900_123,
    apiToken: "abc",
    reference: "sk_live_4eC39HqLyjWDarjtT1zdp7dc",
    account: "DE89370400440532013000",
    birthdate: "1815-12-10",
    age: 36,
    lat: 51.5,
    site: "https://ada.example.com",
    employee: { name: "Ada", title: "Countess" },
    status: "open",
  };
  for (let n = 0; n < 400; n += 1) learning.teach(one);
  const text = kept(learning);
  for (const secret of ["Ada", "ada", "7946", "447700", "abc", "4eC39", "DE89", "1815", "Countess", '"36"', "51.5"])
    expect(text).not.toContain(secret);
  expect(valuesOf(learning, "data.status")).toEqual(["open"]);
});

it("smallest and largest are kept of short numbers only", () => {
  const learning = new Learning();
  for (let n = 0; n < 50; n += 1) learning.teach({ pages: n, customer: 1_000_000 + n, price: n === 49 ? 123_456 : n });
  const { fields } = learning.stored.tree;
  expect(fields["data.pages"]?.number).toEqual(["0", "49"]);
  expect(fields["data.customer"]?.number).toBeUndefined();
  // One long number is enough, whenever it came.
  expect(fields["data.price"]).toMatchObject({ digits: [1, 6] });
  expect(fields["data.price"]?.number).toBeUndefined();
});

it.each([
  ["6f1c3b1e-8f3a-4c43-9c55-0a8b1f6c2d11", "uuid"],
  ["2026-11-29T08:30:00.123456Z", "date-time"],
  ["2026-11-29 08:30:00 UTC", "date-time"],
  ["2026-11-29", "date"],
  ["ada@example.com", "email"],
  ["https://example.com/a", "url"],
  ["git://github.com/a/b.git", "url"],
  ["+1 (555) 123-4567", "phone"],
  ["cus_NffrFeUfNV2Hib", "id"],
  ["doc_1", "id"],
  ["5b8db9b9f7b1d2a1c3e4f5a6b7c8d9e0", "id"],
  ["123456", "digits"],
  ["12.50", "decimal-text"],
  ["", "empty"],
  ["in_progress", "text"],
  ["In progress", "text"],
])("reads %s as %s", (text, format) => expect(formatOf(text)).toBe(format));

it("tells keys that are data from names of fields", () => {
  for (const key of ["ada@example.com", "6f1c3b1e-8f3a-4c43-9c55-0a8b1f6c2d11", "2026-11-29", "447700900123", "cus_NffrFeUfNV2Hib", "42"])
    expect([key, isDataKey(key)]).toEqual([key, true]);
  for (const key of ["address_line1", "sha256_of_file", "status", "x_1", "Full name", "isV2", "first-name", "node_id", "oauth_2_0"])
    expect([key, isDataKey(key)]).toEqual([key, false]);
});

it("reads whether a name tells of a person", () => {
  for (const key of ["name", "full_name", "userLogin", "emails", "billing-address", "accessToken", "IBAN", "assignee", "commitMessage"])
    expect([key, isPersonalField(key)]).toEqual([key, true]);
  expect([isPersonalField("from", "name"), isPersonalField("from", "status"), isPersonalField("from")]).toEqual([true, false, false]);
  for (const key of ["status", "currency", "page_count", "account_type", "userRole", "amount", "created"])
    expect([key, isPersonalField(key)]).toEqual([key, false]);
});
