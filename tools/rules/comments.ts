import type { Rule } from "./source-file.ts";

const lineAt = (text: string, index: number): number => text.slice(0, index).split("\n").length;

/** Two doc comments with nothing between them: editors show the second alone. The opening of a file is a plain comment. */
const DOUBLED = /\/\*\*(?:(?!\*\/)[\s\S])*\*\/\s*\n\s*\/\*\*/g;

/** A thing has one doc comment. */
export const doubledComments: Rule = (files) =>
  files.flatMap(({ name, text }) =>
    [...text.matchAll(DOUBLED)].map(
      ({ index }) => `${name}:${lineAt(text, index)} has two doc comments in a row. Say it in one, or delete the one that says less.`,
    ),
  );

/** A doc comment, and the name that is declared, typed or called below it. Comments with tags say more than a name. */
const DESCRIBED =
  /\/\*\*((?:(?!\*\/|@)[\s\S])*)\*\/\s*\n?[ \t]*((?:(?:export|default|declare|async|static|readonly|private|abstract|function|const|let|class|type|interface)\s+)*)(\w+)\b(?=\s*[?<(:=!{]| extends)/g;

/** Words that add nothing to a name. */
const FILLERS = new Set("a an the this that its it of to for in on by with and or is are be as if true returns shows".split(" "));

/** Words of a name or a sentence without their endings: "renewedTokens" says what "the tokens renewed" says. */
const stemsOf = (words: string): string[] =>
  (
    words
      .replace(/'s\b/g, "")
      .replace(/([a-z\d])([A-Z])/g, "$1 $2")
      .match(/[A-Za-z\d]+/g) ?? []
  ).map((word) => word.toLowerCase().replace(/(?<=\w{3})(ies|es|ed|ing|s|y|e)$/, ""));

/** A doc comment says more than the name below it. */
export const repeatedNames: Rule = (files) =>
  files.flatMap(({ name: file, text }) =>
    [...text.matchAll(DESCRIBED)].flatMap(({ index, 1: comment = "", 3: name = "" }) => {
      const said = new Set(stemsOf(name));
      const words = comment.replace(/^\s*\*/gm, "").trim();
      const more = words
        .split(/\s+/)
        .flatMap(stemsOfSaid)
        .filter((stem) => !said.has(stem));
      return words !== "" && more.length === 0
        ? [
            `${file}:${lineAt(text, index)} says the name ${name} again ("${words.replace(/\s+/g, " ")}"). Say why, a unit or a bound, or nothing.`,
          ]
        : [];
    }),
  );

/** Stems that a word of a comment adds to a name: none for fillers, the word itself where it is a sign. */
function stemsOfSaid(word: string): string[] {
  if (FILLERS.has(word.toLowerCase().replace(/\W+$/, ""))) return [];
  const stems = stemsOf(word);
  return stems.length === 0 && /[^\s.,:;()]/.test(word) ? [word] : stems;
}
