import { describe, expect, it } from "vitest";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { readSearch, tsqueryOf } from "#lib/events/search/query";
import { CUT_AT, filedTerm, IN_PART, termsOf } from "#lib/events/search/terms";
import { expectPace } from "#tests/support/pace";

const workspaceId = "ws_1" as WorkspaceId;
const event = { workspaceId, eventId: "evt_Ab1", type: "document.error" };
const word = (text: string) => filedTerm(workspaceId, null, text);
const value = (path: string, text: string) => filedTerm(workspaceId, path, text);

const deepOf = (depth: number): unknown => (depth === 0 ? "bottom" : { a: deepOf(depth - 1) });

describe("what an event is found by", () => {
  it("holds its id, its type, each value with its path, and the words of each value", () => {
    const terms = termsOf({ ...event, data: { status: "Failed", name: "Invoice-2024.pdf", items: [{ sku: "A1" }], ok: true, n: 0.95 } });
    expect(terms).toEqual(
      expect.arrayContaining([
        ...["evt_ab1", "document.error", "failed", "invoice-2024.pdf", "invoice", "2024", "pdf", "a1", "0.95"].map(word),
        ...[value("data.status", "failed"), value("data.name", "invoice-2024.pdf"), value("data.items.sku", "a1")],
        ...[value("data.ok", "true"), value("data.n", "0.95")],
      ]),
    );
    expect(terms).not.toContain(word("true"));
  });

  it("begins with its workspace, and no word of another begins so", () => {
    const data = { status: "failed", note: "FAILED again" };
    const [mine, others] = [event, { ...event, workspaceId: "ws_2" as WorkspaceId }].map((each) => termsOf({ ...each, data }));
    const code = /^[A-Z]{4}/.exec(word(""))?.[0] ?? "?";
    expect(mine?.every((term) => term.startsWith(code))).toBe(true);
    expect(others?.some((term) => term.startsWith(code))).toBe(false);
  });

  it("tells paths apart, and a path from a word", () => {
    const filed = ["data.a", "data.b", "data.a.b"].map((path) => value(path, "x"));
    expect(new Set([...filed, word("x")]).size).toBe(4);
    for (const term of filed) expect(term).toMatch(/^[A-Z]{10}x$/);
    expect(word("x")).toMatch(/^[A-Z]{4}x$/);
    // A workspace and a path keep their letters for as long as their events are kept.
    expect([word(""), value("data.status", "")]).toEqual(["TRPF", "TRPFADVDQL"]);
  });

  it("holds all of a payload of 64 KB", () => {
    const lines = Array.from({ length: 1600 }, (_, n) => ({ sku: `S${n}`, note: `Line ${n} of many` }));
    const data = { lines, deep: deepOf(60), long: "and so on ".repeat(300), link: "https://api.example.com/last" };
    expect(JSON.stringify(data).length).toBeGreaterThan(60_000);
    const terms = termsOf({ ...event, data });
    expect(terms).toEqual(
      expect.arrayContaining([word("s1599"), value("data.lines.note", "line 1599 of many"), word("bottom"), word("on")]),
    );
    expect(terms).toContain(word("https://api.example.com/last"));
    expect(terms).not.toContain(IN_PART);
  });

  it("holds short values before links and long text, from the payload's top down, and says that something is left out", () => {
    // Like a push of GitHub: who sent it stands behind a repository of many links.
    const links = Object.fromEntries(
      Array.from({ length: 60 }, (_, n) => [`url_${n}`, `https://api.example.com/repos/acme/r${n}/keys{/key_id}`]),
    );
    const payload = {
      commits: Array.from({ length: 400 }, (_, n) => ({
        id: `c${n}`,
        at: "2019-05-15T15:20:33Z",
        message: `long words of commit ${n}, `.repeat(20),
      })),
      repository: {
        ...links,
        full_name: "acme/hello-world",
        private: false,
        owner: { login: "acme" },
        description: "A repository of ours",
      },
      sender: { ...links, login: "octocat" },
    };
    const terms = termsOf({ ...event, data: payload });
    expect(terms).toEqual(
      expect.arrayContaining([
        ...["acme/hello-world", "octocat", "acme", "c0", "repository"].map(word),
        ...[value("data.sender.login", "octocat"), value("data.repository.full_name", "acme/hello-world")],
        ...[value("data.repository.private", "false"), value("data.repository.owner.login", "acme"), value("data.commits.id", "c0")],
      ]),
    );
    expect(terms).not.toContain(word("399"));
    expect(terms.at(-1)).toBe(IN_PART);
  });

  it.each<[string, unknown, boolean]>([
    ["a small payload", { login: "octocat", none: null, empty: {} }, false],
    ["as many terms as an earlier release cut at", Array.from({ length: 99 }, (_, n) => ({ [`f${n}`]: `w${n}` })), false],
    ["what is nested too deeply", deepOf(65), true],
    ["64 KB of values, all of them alike", Array.from({ length: 32_767 }, () => 7), false],
    ["more values than are looked at", Array.from({ length: 32_769 }, () => 7), true],
    ["64 KB of text", { text: "word ".repeat(13_107) }, false],
    ["a text that is longer than what is read of one", { text: "word ".repeat(13_108) }, true],
    ["a body that can't be read", undefined, true],
  ])("says whether something is left out: %s", (_, data, inPart) => {
    expect(termsOf({ ...event, data }).includes(IN_PART)).toBe(inPart);
  });

  it("never has as many terms as an earlier release cut at, and is whole", () => {
    for (const length of [98, 99, 100]) {
      const terms = termsOf({ ...event, data: Array.from({ length }, (_, n) => ({ [`f${n}`]: `w${n}` })) });
      expect([2 * length + 2, 2 * length + 3]).toContain(terms.length);
      expect(terms).not.toHaveLength(CUT_AT);
    }
  });

  it("stays small and storable, whatever the payload", () => {
    const terms = termsOf({
      ...event,
      data: {
        big: Array.from({ length: 100_000 }, (_, n) => `word${n}`).join(" "),
        deep: deepOf(1000),
        many: Array.from({ length: 50_000 }, (_, n) => `w${n}`),
        nul: "a\u0000b\ud800",
        // One character that becomes eighteen.
        ["\ufdfa".repeat(100)]: "\ufdfa".repeat(100),
      },
    });
    expect(Buffer.byteLength(terms.join(""))).toBeLessThan(1_000_000);
    for (const term of terms) {
      expect(term.length).toBeLessThanOrEqual(110);
      expect(term).not.toContain("\u0000");
      expect(term.isWellFormed()).toBe(true);
    }
  });
});

it("costs no more than its length, whatever stands at the edges of a word", () => {
  // U+2057 becomes four marks.
  const values = Array.from({ length: 32 }, () => `b a${"\u2057".repeat(1990)}\u00e9`);
  const since = performance.now();
  expect(termsOf({ ...event, data: { values } })).toContain(word("b"));
  expectPace(performance.now() - since, 2000);
});

it.each([
  ["...(word)!", "word"],
  ["¿qué?", "qué"],
  ["«été»", "été"],
  ["--x--", "x"],
])("cuts the marks around %s", (text, inside) => {
  expect(termsOf({ ...event, data: { text } })).toContain(word(inside));
});

describe("the search box", () => {
  it.each([
    ["words, all of which must occur", "Acme invoice", ["acme*", "invoice*"]],
    ["a short word to the letter", "no 7", ["no", "7"]],
    ["a path and its value", "data.status:Failed", ["data.status:failed"]],
    ["a path without its data", "errorCode:E_1", ["data.errorcode:e_1"]],
    ["a value with blanks", 'data.name:"Acme Ltd"', ["data.name:acme ltd"]],
    ["the beginning of a value", "data.name:acme*", ["data.name:acme*"]],
    ["quotes, which end a word", "o'hara\\x", ["o", "hara\\x*"]],
    ["an address, which is no path", "https://acme.test/a", ["https://acme.test/a*"]],
    ["nothing but marks", "--- &|!", []],
  ])("reads %s", (_, q, terms) => {
    expect(readSearch(q).terms.map(({ path, text, prefix }) => `${path === null ? "" : `${path}:`}${text}${prefix ? "*" : ""}`)).toEqual(
      terms,
    );
  });

  it("asks for terms as they are filed, and as they were before they had their workspace", () => {
    const { terms } = readSearch("data.status:Failed o'hara\\x");
    expect(tsqueryOf(workspaceId, terms)).toBe(
      `('${value("data.status", "failed")}' & '${word("o")}' & '${word("hara\\\\x")}':*) | ('data.status:failed' & 'o' & 'hara\\\\x':*)`,
    );
  });

  it("takes type, state, source and resource for filters", () => {
    expect(readSearch("type:task.created state:failed source:platform document:doc_1 acme")).toEqual({
      filters: [{ type: ["task.created"] }, { state: ["failed"] }, { source: "platform" }, { resource: "document:doc_1" }],
      terms: [{ path: null, text: "acme", prefix: true }],
      word: "acme",
    });
    expect(readSearch("status:broken").terms).toEqual([{ path: "data.status", text: "broken", prefix: false }]);
  });
});
