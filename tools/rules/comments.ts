import { isProduct, type Rule } from "./source-file.ts";

/** A comment of a function or a component that begins with a clause instead of saying what it does. */
const CLAUSE =
  /\/\*\*\s*(?:\*\s*)?(What|Whoever|Whose|Who|Where|How|Whether|Which|Why|So many|So much)\b(?:(?!\*\/)[\s\S])*\*\/\s*\n[ \t]*(?:export )?(?:default )?(?:async )?(?:function\b|const \w+ = (?:async )?\()/g;

/** A function's comment says what it does: "Returns …", "Number of …", "True if …". */
export const commentsOfFunctions: Rule = (files) =>
  files.flatMap(({ name, text }) =>
    [...text.matchAll(CLAUSE)].map(({ index, 1: word }) => {
      const line = text.slice(0, index).split("\n").length;
      return `${name}:${line} describes a function by a clause ("${word} …"). Begin with a verb: "Returns …", "Shows …", "True if …".`;
    }),
  );

/** The beginning of a comment with a relative clause in place of a noun or a verb. Within a block of `//` only the first line counts. */
const RELATIVE = /(?<=^|[\s{;,(])(?:\/\*\*?\s*(?:\*\s*)?|(?<!\/\/.*\n[ \t]*)\/\/[ \t]?)(What|Whoever|So many) /gm;

/** A comment names the thing: "Result of …", "Number of …". */
export const plainComments: Rule = (files) =>
  files
    .filter(({ name }) => isProduct(name) || name.startsWith("tools/"))
    .flatMap(({ name, text }) =>
      [...text.matchAll(RELATIVE)].map(({ index, 1: word }) => {
        const line = text.slice(0, index).split("\n").length;
        return `${name}:${line} begins a comment with a clause ("${word} …"). Name the thing: "Result of …", "Number of …", "Time that …".`;
      }),
    );
