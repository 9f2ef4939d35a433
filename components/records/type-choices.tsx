import { Plus, Search } from "lucide-react";
import { useState } from "react";
import { Field } from "#components/ui/form";
import { Button } from "#components/ui/primitives/button";
import { Checkbox } from "#components/ui/primitives/checkbox";
import { Input } from "#components/ui/primitives/input";
import { isOfType, isTypePattern, typePatternOf, typesWords } from "#lib/contracts/events/event-filters";
import { countWords } from "#lib/contracts/format-count";

/** A browser draws no more checkboxes at once; the search narrows them. */
const MAX_SHOWN = 60;
const MAX_TYPE = 200;

type TypeChoicesProps = { known: string[]; chosen: string[]; onChange: (chosen: string[]) => void };

/** Offers the types that the log holds and their common beginnings; what is typed can be chosen, too. */
export function TypeChoices({ known, chosen, onChange }: TypeChoicesProps) {
  const [text, setText] = useState("");
  const asked = text.trim();
  const options = [...new Set([...offered(known), ...chosen])];
  const found = options.filter((option) => option.toLowerCase().includes(asked.toLowerCase().replace(/\*$/, "")));
  const toggle = (option: string, on: boolean) => onChange(on ? [...chosen, option] : chosen.filter((each) => each !== option));
  const canAdd = asked !== "" && !chosen.includes(asked) && !asked.slice(0, -1).includes("*");
  function add() {
    if (!canAdd) return;
    toggle(asked, true);
    setText("");
  }
  // A type that is typed and not added must not become all types.
  const leftOver = asked !== "" && chosen.length === 0 ? "Add this type or empty the field: now it would be all types." : "";
  return (
    <fieldset className="flex flex-col gap-1.5">
      <legend className="mb-1.5 text-13 font-medium">Event types</legend>
      <div className="flex items-start gap-2">
        <Field label="Search or add event types" hideLabel className="min-w-0 flex-1">
          <Input
            ref={(input) => input?.setCustomValidity(leftOver)}
            placeholder="Search, or add one: invoice.*"
            icon={<Search />}
            className="font-mono"
            maxLength={MAX_TYPE}
            value={text}
            onChange={({ target }) => setText(target.value)}
            onKeyDown={(event) => {
              if (event.key !== "Enter") return;
              event.preventDefault();
              add();
            }}
          />
        </Field>
        <Button icon={<Plus />} disabled={!canAdd} onClick={add}>
          Add type
        </Button>
      </div>
      <div className="grid max-h-40 grid-cols-1 gap-x-4 gap-y-1.5 overflow-y-auto rounded-md border border-line p-3 min-[480px]:grid-cols-2">
        {found.slice(0, MAX_SHOWN).map((option) => (
          <Checkbox key={option} checked={chosen.includes(option)} onCheckedChange={(on) => toggle(option, on)}>
            <span className="break-all font-mono text-12">{option}</span>
          </Checkbox>
        ))}
        {found.length === 0 ? <p className="text-12 text-muted">No event had such a type yet. It can be added all the same.</p> : null}
        {found.length > MAX_SHOWN ? (
          <p className="text-12 text-muted">{countWords(found.length - MAX_SHOWN, "more type")}. Search to see them.</p>
        ) : null}
      </div>
      <p className="text-12 text-muted">{summary(known, chosen)}</p>
    </fieldset>
  );
}

const ALL = typesWords([]);

function summary(known: string[], chosen: string[]): string {
  if (typesWords(chosen) === ALL) return `${ALL}, including new ones`;
  const names = chosen.length > 3 ? countWords(chosen.length, "choice") : chosen.join(", ");
  if (!chosen.some(isTypePattern)) return names;
  const covered = known.filter((type) => chosen.some((each) => isOfType(each, type))).length;
  return `${names}: ${countWords(covered, "known type")}, and new ones that begin so`;
}

/** Returns the types in order, each beginning that several share before them: `document.*`. */
export function offered(known: string[]): string[] {
  const counts = new Map<string, number>();
  for (const pattern of known.map(typePatternOf)) if (pattern !== null) counts.set(pattern, (counts.get(pattern) ?? 0) + 1);
  const shared = [...counts].filter(([, count]) => count > 1).map(([pattern]) => pattern);
  return [...new Set([...shared, ...known])].sort();
}
