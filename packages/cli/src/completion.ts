import type { Command } from "commander";

type Place = { words: string; next: { word: string; says: string }[] };

/** Returns a shell's completion script. It contains commands and flags, so that completing needs no server and no Node. */
export function completionScript(shell: "bash" | "zsh" | "fish", program: Command): string {
  const places = placesOf(program, "");
  return { bash: bashScript, zsh: zshScript, fish: fishScript }[shell](places);
}

function placesOf(command: Command, words: string): Place[] {
  const subcommands = command.commands.map((each) => ({ word: each.name(), says: each.description() }));
  const options = command.options.filter(({ long, hidden }) => long && !hidden);
  const flags = options.map(({ long, description }) => ({ word: long ?? "", says: description }));
  const own = { words, next: [...subcommands, ...flags, { word: "--help", says: "show help" }] };
  return [own, ...command.commands.flatMap((each) => placesOf(each, `${words} ${each.name()}`.trim()))];
}

const cases = (places: Place[], line: (place: Place) => string) =>
  places.map((place) => `    "${place.words}") ${line(place)} ;;`).join("\n");
const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

const bashScript = (places: Place[]) => `# bash completion of signalbox
_signalbox() {
  local word="\${COMP_WORDS[COMP_CWORD]}" path="" i
  for ((i = 1; i < COMP_CWORD; i++)); do
    [[ "\${COMP_WORDS[i]}" == -* ]] && continue
    path="\${path:+$path }\${COMP_WORDS[i]}"
  done
  local next=""
  case "$path" in
${cases(places, ({ next }) => `next=${quoted(next.map(({ word }) => word).join(" "))}`)}
  esac
  COMPREPLY=($(compgen -W "$next" -- "$word"))
}
complete -o default -F _signalbox signalbox
`;

const zshScript = (places: Place[]) => `#compdef signalbox
# zsh completion of signalbox
_signalbox() {
  local path_words="" i
  for ((i = 2; i < CURRENT; i++)); do
    [[ "\${words[i]}" == -* ]] && continue
    path_words="\${path_words:+$path_words }\${words[i]}"
  done
  local -a next
  case "$path_words" in
${cases(places, ({ next }) => `next=(${next.map(({ word, says }) => quoted(`${word}:${says.replaceAll(":", "\\:")}`)).join(" ")})`)}
  esac
  _describe 'signalbox' next || _files
}
compdef _signalbox signalbox
`;

const fishScript = (places: Place[]) => `# fish completion of signalbox
function __signalbox_at
  set -l words (string match -v -- '-*' (commandline -opc)[2..-1])
  test "$words" = "$argv[1]"
end
${places
  .flatMap(({ words, next }) =>
    next.map(({ word, says }) => {
      const what = word.startsWith("--") ? `-l ${word.slice(2)}` : `-f -a ${word}`;
      return `complete -c signalbox -n ${quoted(`__signalbox_at ${quoted(words)}`)} ${what} -d ${quoted(says)}`;
    }),
  )
  .join("\n")}
`;
