import { Search } from "lucide-react";
import type { ReactNode } from "react";
import { ChoiceButtons, ChoiceMenu } from "#components/ui/choice";
import { lazyComponent } from "#components/ui/feedback/lazy-component";
import { usePageQuery } from "#components/ui/lists/use-page-query";
import { cn } from "#components/ui/primitives/cn";
import { Switch } from "#components/ui/primitives/switch";
import { compact, filterHref, readFilter, stepOf } from "#lib/client/url-filter";
import type { Filter, FilterInput, FilterOf, Filters } from "#lib/contracts/api/filters";
import { DebouncedInput } from "./debounced-input.tsx";
import { FilterShell } from "./filter-shell.tsx";
import type { FilterOptions, FilterShellProps } from "./filter-shell-props.tsx";

const StrangeChoices = lazyComponent(() => import("./ignored-filters.tsx").then((module) => module.StrangeChoices), true);

type FilterRowProps<F extends Filters> = Omit<FilterShellProps<F>, "children"> & {
  counts?: { [Name in keyof F]?: NonNullable<FilterFieldProps["counts"]> };
  onOpen?: { [Name in keyof F]?: () => void };
} & Pick<FilterFieldProps, "options">;

const WIDTHS = {
  text: "min-w-0 flex-1 basis-28 max-w-80 max-rail:max-w-none",
  select: "w-auto min-w-24",
  buttons: "",
  switch: "",
};

export function FilterRow<F extends Filters>({ options, counts, onOpen, ...row }: FilterRowProps<F>) {
  const { filters, filter, hidden = [], onChange } = row;
  const shown = Object.keys(filters).filter((name) => filters[name]?.input !== undefined);
  const search = shown.find((name) => filters[name]?.input?.as === "text" && !hidden.includes(name));
  return (
    <FilterShell {...row} hidden={[...hidden, ...shown]}>
      {Object.entries(filters).map(([name, declared]) =>
        hidden.includes(name) ? null : (
          <FilterField
            key={name}
            filter={declared}
            chosen={filter[name]}
            className={cn(declared.input && WIDTHS[declared.input.as], name === search && "max-rail:basis-full")}
            onChange={(value) => onChange({ ...filter, [name]: value })}
            {...(options && { options })}
            {...(counts?.[name] && { counts: counts[name] })}
            {...(onOpen?.[name] && { onOpen: onOpen[name] })}
          />
        ),
      )}
      {options && Object.keys(filters).some((name) => isStrange(filters[name], filter[name], options)) ? (
        <StrangeChoices {...row} options={options} />
      ) : null}
    </FilterShell>
  );
}

/** True for a value that the page doesn't offer: only a URL has it. Other options are loaded when they are asked for. */
const isStrange = (declared: Filter | undefined, chosen: Chosen, options: FilterOptions): boolean => {
  const of = declared?.input?.as === "select" ? declared.input.of : undefined;
  const known = of === "sources" || of === "states" ? (options[of] ?? []) : [];
  return chosen !== undefined && known.length > 0 && !known.some(({ value }) => value === chosen);
};

/** Means no choice: an option's value is never empty. */
const ANY = "*";

type FilterOption = { value: string; label: string };
type Chosen = string | boolean | readonly string[] | undefined;

type FilterFieldProps = {
  filter: Filter;
  chosen: Chosen;
  /** Options from the page, by the name under which the filter asks for them. */
  options?: FilterOptions;
  counts?: Record<string, ReactNode>;
  onOpen?: () => void;
  className?: string;
  onChange: (value: string | boolean | string[] | undefined) => void;
};

export function FilterField(props: FilterFieldProps) {
  const { input, label } = props.filter;
  const { chosen, className, onChange } = props;
  switch (input?.as) {
    case "text":
      return (
        <DebouncedInput
          label={input.name ?? label}
          placeholder={input.placeholder}
          icon={<Search aria-hidden />}
          value={textOf(chosen)}
          onChange={(value) => onChange(value || undefined)}
          {...(className === undefined ? {} : { className })}
        />
      );
    case "switch":
      return (
        <Switch checked={chosen === input.value} onCheckedChange={(on) => onChange(on ? input.value : undefined)}>
          {label}
        </Switch>
      );
    case "select":
      return <SelectField {...props} input={input} />;
    case "buttons":
      return <ButtonsField {...props} input={input} />;
    default:
      input satisfies undefined;
      return null;
  }
}

const textOf = (chosen: Chosen): string => (chosen === undefined ? "" : [chosen].flat().join());

function SelectField({
  filter,
  input,
  chosen,
  options = {},
  className,
  onOpen,
  onChange,
}: FilterFieldProps & { input: FilterInput & { as: "select" } }) {
  const known = input.of === undefined ? optionsOf(filter) : (options[input.of] ?? []);
  const value = textOf(chosen);
  // A value that only the URL has is shown as it is.
  const more = value !== "" && !known.some((option) => option.value === value) ? [{ value, label: value }] : [];
  return (
    <ChoiceMenu
      label={filter.label}
      value={value || ANY}
      onChange={(next) => onChange(valueFor(filter, next))}
      options={[{ value: ANY, label: input.any }, ...known, ...more]}
      {...(className === undefined ? {} : { className })}
      {...(onOpen && { onOpen })}
    />
  );
}

function ButtonsField({ filter, input, chosen, counts = {}, onChange }: FilterFieldProps & { input: FilterInput & { as: "buttons" } }) {
  const choices = [...optionsOf(filter), ...(input.any === undefined ? [] : [{ value: ANY, label: input.any }])];
  return (
    <ChoiceButtons
      legend={filter.label}
      choices={choices.map((choice) => ({ ...choice, count: counts[choice.value] }))}
      chosen={textOf(chosen) || ANY}
      onChoose={(value) => onChange(valueFor(filter, value))}
    />
  );
}

/** Returns the filter's value for a chosen option: a list if the filter takes several. */
const valueFor = ({ value: { kind } }: Filter, option: string) =>
  option === ANY ? undefined : kind === "choices" || kind === "texts" ? [option] : option;

const optionsOf = ({ choices = {} }: Filter): FilterOption[] => Object.entries(choices).map(([value, label]) => ({ value, label }));

/** Returns the URL's filter and a setter that doesn't request the page; Back undoes it. Other parameters, such as the order, stay. */
export function useUrlFilter<F extends Filters>(filters: F): { filter: FilterOf<F>; setFilter: (filter: FilterOf<F>) => void } {
  const { path, query, go } = usePageQuery();
  const filter = readFilter(filters, query);
  const others = Object.fromEntries([...query].filter(([name]) => !(name in filters)));
  const setFilter = (next: FilterOf<F>) => go(filterHref(path, filters, compact(next), others), stepOf(filters, filter, next));
  return { filter, setFilter };
}

/** Returns the options of a filter by source; it is hidden if there is only one. */
export const bySource = (sources: string[]): { options: { sources: { value: string; label: string }[] }; hidden: "source"[] } => ({
  options: { sources: sources.map((name) => ({ value: name, label: name })) },
  hidden: sources.length < 2 ? ["source"] : [],
});
